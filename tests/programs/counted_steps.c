/* Does what the lines of its standard input say, and answers each with "done". Prints "ready PID" first; ends with its input.
 *
 *     NUMBER    two threads acquire `counted_lock` this many times each
 *     hold      one thread holds `held_lock`, and another one waits for it
 *     retake    the first releases it and acquires it again at once; the other one goes on to wait for it
 *     release   the first releases it; both end
 *     deadlock  two threads acquire `first_lock` and `second_lock` in opposite orders, for ever
 *
 * The answer to "hold" and "deadlock" comes once the waiting threads have announced that they are about to wait; whether they are asleep
 * yet is for the reader to see. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t counted_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t held_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second_lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t is_held, may_release, is_waiting, has_first, has_second;
static sem_t has_retaken;
static volatile int is_over, retakes;
static volatile long counter;

static void *count(void *times)
{
    for (long i = 0; i < *(long *)times; i++) {
        pthread_mutex_lock(&counted_lock);
        counter++;
        pthread_mutex_unlock(&counted_lock);
    }
    return NULL;
}

static void *hold(void *unused)
{
    pthread_mutex_lock(&held_lock);
    sem_post(&is_held);
    for (sem_wait(&may_release); retakes; sem_wait(&may_release)) {
        retakes = 0;
        pthread_mutex_unlock(&held_lock);
        pthread_mutex_lock(&held_lock);
        sem_post(&has_retaken);
    }
    is_over = 1;
    pthread_mutex_unlock(&held_lock);
    return unused;
}

static void *wait_for_held(void *unused)
{
    sem_wait(&is_held);
    sem_post(&is_waiting);
    /* It may get the lock while the holder retakes it. */
    do {
        pthread_mutex_lock(&held_lock);
        pthread_mutex_unlock(&held_lock);
    } while (!is_over);
    return unused;
}

static void *first_then_second(void *unused)
{
    pthread_mutex_lock(&first_lock);
    sem_post(&has_first);
    sem_wait(&has_second);
    sem_post(&is_waiting);
    pthread_mutex_lock(&second_lock);
    return unused;
}

static void *second_then_first(void *unused)
{
    pthread_mutex_lock(&second_lock);
    sem_post(&has_second);
    sem_wait(&has_first);
    sem_post(&is_waiting);
    pthread_mutex_lock(&first_lock);
    return unused;
}

static pthread_t started(void *(*what)(void *), void *with)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, what, with) != 0)
        exit(1);
    return thread;
}

int main(void)
{
    char line[64];
    pthread_t holder = 0, waiter = 0;
    sem_t *all[] = {&is_held, &may_release, &is_waiting, &has_first, &has_second, &has_retaken};
    for (int i = 0; i < 6; i++)
        sem_init(all[i], 0, 0);
    printf("ready %d\n", (int)getpid());
    fflush(stdout);
    while (fgets(line, sizeof line, stdin) != NULL) {
        long times = atol(line);
        if (strncmp(line, "hold", 4) == 0) {
            is_over = 0;
            holder = started(hold, NULL);
            waiter = started(wait_for_held, NULL);
            sem_wait(&is_waiting);
        } else if (strncmp(line, "retake", 6) == 0) {
            retakes = 1;
            sem_post(&may_release);
            sem_wait(&has_retaken);
        } else if (strncmp(line, "release", 7) == 0) {
            sem_post(&may_release);
            pthread_join(holder, NULL);
            pthread_join(waiter, NULL);
        } else if (strncmp(line, "deadlock", 8) == 0) {
            started(first_then_second, NULL);
            started(second_then_first, NULL);
            sem_wait(&is_waiting);
            sem_wait(&is_waiting);
        } else {
            pthread_t a = started(count, &times), b = started(count, &times);
            pthread_join(a, NULL);
            pthread_join(b, NULL);
        }
        printf("done\n");
        fflush(stdout);
    }
    return 0;
}

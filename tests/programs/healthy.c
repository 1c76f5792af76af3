// Contends heavily and never hangs: threads acquire two mutexes in one order, a reader-writer lock and a semaphore as a lock, wait for
// a condition, and start and join other threads that do the same.
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

#define WORKERS 6

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static sem_t gate;
static unsigned long turns;

static void round_of_work(void) {
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    turns++;
    pthread_cond_signal(&turned);
    pthread_mutex_unlock(&inner);
    // Asleep with a lock held, so that the others wait for it.
    usleep(turns % 64 ? 0 : 300);
    pthread_mutex_unlock(&outer);
    if (turns % 7 == 0) {
        pthread_rwlock_wrlock(&table);
        pthread_mutex_lock(&inner);
        pthread_mutex_unlock(&inner);
    } else {
        pthread_rwlock_rdlock(&table);
    }
    pthread_rwlock_unlock(&table);
    sem_wait(&gate);
    pthread_mutex_lock(&inner);
    pthread_mutex_unlock(&inner);
    sem_post(&gate);
}

static void *short_life(void *argument) {
    for (int at = 0; at < 20; at++) {
        round_of_work();
    }
    return argument;
}

static void *worker(void *argument) {
    for (;;) {
        round_of_work();
    }
    return argument;
}

static void *waits_for_turns(void *argument) {
    for (;;) {
        pthread_mutex_lock(&inner);
        unsigned long before = turns;
        while (turns == before) {
            pthread_cond_wait(&turned, &inner);
        }
        pthread_mutex_unlock(&inner);
    }
    return argument;
}

static void *starts_others(void *argument) {
    for (;;) {
        pthread_t both[2];
        pthread_create(&both[0], NULL, short_life, NULL);
        pthread_create(&both[1], NULL, short_life, NULL);
        pthread_join(both[0], NULL);
        pthread_join(both[1], NULL);
    }
    return argument;
}

int main(void) {
    pthread_t thread;
    sem_init(&gate, 0, 1);
    for (int at = 0; at < WORKERS; at++) {
        pthread_create(&thread, NULL, worker, NULL);
    }
    pthread_create(&thread, NULL, waits_for_turns, NULL);
    pthread_create(&thread, NULL, starts_others, NULL);
    printf("ready %d\n", getpid());
    fflush(stdout);
    (void)getchar();
    _exit(0);
}

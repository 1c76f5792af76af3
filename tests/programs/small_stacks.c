// Threads with the smallest stack there may be (PTHREAD_STACK_MIN, 16 KiB) and signal handlers on a stack of their own of
// 8 KiB do everything that a recorder looks at: first and later acquisitions, waits, waits for conditions, deadlines.
// The argument is the number of turns of each thread.
#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 4 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, handler_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static int turn, turns = 200;
static long shared;

static void *work(void *argument) {
    int own = (int)(long)argument;
    struct timespec past = {1, 0}, moment = {0, 100000};
    for (int i = 0; i < turns; i++) {
        pthread_mutex_lock(&mutex);
        while (turn != own) pthread_cond_wait(&condition, &mutex);
        shared++;
        turn = (turn + 1) % THREADS;
        pthread_cond_broadcast(&condition);
        // Held while asleep now and then, so that the others surely wait for the mutex.
        if (i % 50 == 0) nanosleep(&moment, NULL);
        pthread_mutex_unlock(&mutex);
        pthread_rwlock_wrlock(&rwlock);
        if (i % 50 == 0) nanosleep(&moment, NULL);
        pthread_rwlock_unlock(&rwlock);
        sem_wait(&semaphore);
        if (i % 50 == 0) nanosleep(&moment, NULL);
        sem_post(&semaphore);
        if (pthread_mutex_timedlock(&mutex, &past) == 0) pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static void *take(void *mutex) {
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
    return NULL;
}

static volatile sig_atomic_t handled;
static void handle(int signal) {
    (void)signal;
    take(&handler_mutex);
    handled++;
}

int main(int argc, char **argv) {
    if (argc > 1) turns = atoi(argv[1]);
    pthread_attr_t attributes;
    pthread_t threads[THREADS];
    sem_init(&semaphore, 0, 1);
    pthread_attr_init(&attributes);
    if (pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN) != 0) return 1;
    for (long i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], &attributes, work, (void *)i) != 0) return 2;
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);

    stack_t own = {.ss_sp = malloc(8192), .ss_size = 8192};
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
    if (sigaltstack(&own, NULL) != 0 || sigaction(SIGUSR1, &action, NULL) != 0) return 3;
    for (int i = 0; i < 3; i++) raise(SIGUSR1);
    printf("shared %ld, handled %d\n", shared, (int)handled);
    return 0;
}

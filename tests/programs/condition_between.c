// condition_between THREADS: a condition that was initialised for use between processes, with a mutex of this process: threads
// hand a baton round, one of them is cancelled while it waits, and deadlines pass. Succeeds if all of it adds up.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { TURNS = 300 };

#define CHECK(what)                                                                                                              \
    do {                                                                                                                         \
        if (!(what)) {                                                                                                           \
            fprintf(stderr, "line %d: %s\n", __LINE__, #what);                                                                   \
            exit(1);                                                                                                             \
        }                                                                                                                        \
    } while (0)

static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t turned, never;
static long threads, turn, cleaned, there;

static void *turn_round(void *argument) {
    for (long count = 0; count < TURNS; count++) {
        CHECK(pthread_mutex_lock(&mutex) == 0);
        while (turn % threads != (long)argument)
            CHECK(pthread_cond_wait(&turned, &mutex) == 0);
        turn++;
        if (count % 2)
            CHECK(pthread_cond_broadcast(&turned) == 0);
        CHECK(pthread_mutex_unlock(&mutex) == 0);
        if (count % 2 == 0)
            CHECK(pthread_cond_broadcast(&turned) == 0);
    }
    return NULL;
}

static void clean_up(void *unused) {
    (void)unused;
    CHECK(pthread_mutex_lock(&mutex) == EDEADLK);
    cleaned++;
    CHECK(pthread_mutex_unlock(&mutex) == 0);
}

static void *wait_in_vain(void *unused) {
    CHECK(pthread_mutex_lock(&mutex) == 0);
    pthread_cleanup_push(clean_up, NULL);
    there = 1;
    for (;;)
        CHECK(pthread_cond_wait(&never, &mutex) == 0);
    pthread_cleanup_pop(0);
    return unused;
}

int main(int count, char **arguments) {
    threads = count > 1 ? atol(arguments[1]) : 4;
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    CHECK(pthread_cond_init(&turned, &attributes) == 0);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    CHECK(pthread_cond_init(&never, &attributes) == 0);
    pthread_t thread[threads], waiter;
    for (long i = 0; i < threads; i++)
        CHECK(pthread_create(&thread[i], NULL, turn_round, (void *)i) == 0);
    for (long i = 0; i < threads; i++)
        CHECK(pthread_join(thread[i], NULL) == 0);
    CHECK(turn == threads * TURNS);

    CHECK(pthread_create(&waiter, NULL, wait_in_vain, NULL) == 0);
    for (long waits = 0; !waits; usleep(1000)) {
        CHECK(pthread_mutex_lock(&mutex) == 0);
        waits = there;
        CHECK(pthread_mutex_unlock(&mutex) == 0);
    }
    CHECK(pthread_cancel(waiter) == 0);
    void *result;
    CHECK(pthread_join(waiter, &result) == 0);
    CHECK(result == PTHREAD_CANCELED && cleaned == 1);

    struct timespec soon;
    CHECK(pthread_cond_wait(&never, &mutex) == EPERM);
    CHECK(pthread_mutex_lock(&mutex) == 0);
    clock_gettime(CLOCK_MONOTONIC, &soon);
    soon.tv_nsec = soon.tv_nsec / 2;
    CHECK(pthread_cond_timedwait(&never, &mutex, &soon) == ETIMEDOUT);
    CHECK(pthread_cond_clockwait(&never, &mutex, CLOCK_REALTIME, &soon) == ETIMEDOUT);
    CHECK(pthread_mutex_unlock(&mutex) == 0);
    CHECK(pthread_cond_destroy(&never) == 0 && pthread_cond_destroy(&turned) == 0);
    return 0;
}

// mutex_deadlines THREADS: threads wait for mutexes until deadlines, by both clocks, most of them in vain: none gives up
// before its deadline, none acquires what another holds, and afterwards everything is as it was. Succeeds if so.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { KINDS = 4, ROUNDS = 6 };

static pthread_mutex_t mutexes[KINDS];
static volatile int inside[KINDS];
static long broken, acquired;

static long long now_ns(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000000000ll + time.tv_nsec;
}

static void wait_for(int kind, clockid_t clock, long ns) {
    long long deadline = now_ns(clock) + ns;
    struct timespec time = {deadline / 1000000000, deadline % 1000000000};
    int result = clock == CLOCK_REALTIME && ns % 2 ? pthread_mutex_timedlock(&mutexes[kind], &time)
                                                   : pthread_mutex_clocklock(&mutexes[kind], clock, &time);
    if (result == 0) {
        __atomic_fetch_add(&acquired, 1, __ATOMIC_RELAXED);
        if (inside[kind]++) __atomic_fetch_add(&broken, 1, __ATOMIC_RELAXED);
        if (ns % 3 == 0) usleep(200);
        inside[kind]--;
        if (pthread_mutex_unlock(&mutexes[kind])) __atomic_fetch_add(&broken, 1, __ATOMIC_RELAXED);
    } else if (result != ETIMEDOUT || now_ns(clock) < deadline) {
        __atomic_fetch_add(&broken, 1, __ATOMIC_RELAXED);
    }
}

static void *work(void *seed) {
    unsigned random = (unsigned)(size_t)seed * 2654435761u + 1;
    for (int round = 0; round < ROUNDS * KINDS; round++) {
        random = random * 1664525 + 1013904223;
        wait_for(round % KINDS, random >> 31 ? CLOCK_REALTIME : CLOCK_MONOTONIC, random >> 12 & 0x7ffff);
    }
    return NULL;
}

static void *wait_in_vain(void *unused) {
    for (int kind = 0; kind < KINDS; kind++) {
        wait_for(kind, CLOCK_REALTIME, 1000001);
        wait_for(kind, CLOCK_REALTIME, 1000000);
        wait_for(kind, CLOCK_MONOTONIC, 1000000);
        wait_for(kind, CLOCK_MONOTONIC, -1000000000);
    }
    return unused;
}

int main(int argc, char **argv) {
    static const int types[KINDS] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ADAPTIVE_NP, PTHREAD_MUTEX_RECURSIVE,
                                     PTHREAD_MUTEX_ERRORCHECK};
    long threads = argc > 1 ? atol(argv[1]) : 8;
    pthread_t ids[256];
    if (threads < 1 || threads > 256) return 2;
    for (int kind = 0; kind < KINDS; kind++) {
        pthread_mutexattr_t attributes;
        pthread_mutexattr_init(&attributes);
        pthread_mutexattr_settype(&attributes, types[kind]);
        pthread_mutex_init(&mutexes[kind], &attributes);
        pthread_mutex_lock(&mutexes[kind]);
    }
    pthread_create(&ids[0], NULL, wait_in_vain, NULL);
    pthread_join(ids[0], NULL);
    if (acquired) broken++;
    // A normal mutex that its holder waits for: only the deadline ends it.
    wait_for(0, CLOCK_MONOTONIC, 1000000);
    if (acquired) broken++;
    for (int kind = 0; kind < KINDS; kind++) pthread_mutex_unlock(&mutexes[kind]);
    for (long i = 0; i < threads; i++) pthread_create(&ids[i], NULL, work, (void *)i);
    for (long i = 0; i < threads; i++) pthread_join(ids[i], NULL);
    for (int kind = 0; kind < KINDS; kind++) {
        if (pthread_mutex_trylock(&mutexes[kind])) broken++;
        if (pthread_mutex_unlock(&mutexes[kind]) || pthread_mutex_destroy(&mutexes[kind])) broken++;
    }
    if (broken) printf("%ld broken, %ld acquired\n", broken, acquired);
    return broken != 0 || acquired == 0;
}

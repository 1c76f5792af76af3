// mutex_counters THREADS: threads count under one mutex of each kind, acquired in every way that there is. No count may
// be lost, and no two threads may be inside at once. Succeeds if so.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

enum { KINDS = 7, ROUNDS = 300 };

static const char *names[KINDS] = {"static", "normal", "adaptive", "recursive", "error-check", "C11", "C11 recursive"};
static pthread_mutex_t mutexes[KINDS] = {PTHREAD_MUTEX_INITIALIZER};
static mtx_t c11[2];
// Not atomic: the mutex is to guard them.
static volatile long counts[KINDS];
static volatile int inside[KINDS];
static long broken;
static long rounds;

static struct timespec far(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    time.tv_sec += 1000;
    return time;
}

static int acquire(int kind, unsigned way) {
    pthread_mutex_t *mutex = &mutexes[kind];
    struct timespec time;
    if (kind >= 5) {
        mtx_t *other = &c11[kind - 5];
        if (way % 3 == 0) return mtx_lock(other) != thrd_success;
        if (way % 3 == 1) {
            int result;
            while ((result = mtx_trylock(other)) == thrd_busy) thrd_yield();
            return result != thrd_success;
        }
        time = far(CLOCK_REALTIME);
        return mtx_timedlock(other, &time) != thrd_success;
    }
    switch (way % 4) {
    case 0: return pthread_mutex_lock(mutex);
    case 1: {
        int result;
        while ((result = pthread_mutex_trylock(mutex)) == EBUSY) thrd_yield();
        return result;
    }
    case 2: time = far(CLOCK_REALTIME); return pthread_mutex_timedlock(mutex, &time);
    default: time = far(CLOCK_MONOTONIC); return pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &time);
    }
}

static int release(int kind) {
    return kind >= 5 ? mtx_unlock(&c11[kind - 5]) != thrd_success : pthread_mutex_unlock(&mutexes[kind]);
}

static void *work(void *seed) {
    unsigned random = (unsigned)(size_t)seed * 2654435761u + 1;
    for (long round = 0; round < rounds; round++) {
        for (int kind = 0; kind < KINDS; kind++) {
            random = random * 1664525 + 1013904223;
            unsigned way = random >> 16;
            int depth = kind == 3 || kind == 6 ? 1 + way % 3 : 1;
            for (int level = 0; level < depth; level++)
                if (acquire(kind, way + level)) __atomic_fetch_add(&broken, 1, __ATOMIC_RELAXED);
            if (inside[kind]++) __atomic_fetch_add(&broken, 1, __ATOMIC_RELAXED);
            counts[kind]++;
            if (way % 64 == 0) thrd_yield();
            inside[kind]--;
            for (int level = 0; level < depth; level++)
                if (release(kind)) __atomic_fetch_add(&broken, 1, __ATOMIC_RELAXED);
        }
    }
    return NULL;
}

int main(int argc, char **argv) {
    long threads = argc > 1 ? atol(argv[1]) : 8;
    pthread_t ids[256];
    if (threads < 1 || threads > 256) return 2;
    rounds = ROUNDS * 8 / (threads < 8 ? 8 : threads);
    static const int types[KINDS] = {0, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ADAPTIVE_NP, PTHREAD_MUTEX_RECURSIVE,
                                     PTHREAD_MUTEX_ERRORCHECK};
    for (int kind = 1; kind < 5; kind++) {
        pthread_mutexattr_t attributes;
        pthread_mutexattr_init(&attributes);
        pthread_mutexattr_settype(&attributes, types[kind]);
        pthread_mutex_init(&mutexes[kind], &attributes);
    }
    mtx_init(&c11[0], mtx_timed);
    mtx_init(&c11[1], mtx_timed | mtx_recursive);
    for (long i = 0; i < threads; i++) pthread_create(&ids[i], NULL, work, (void *)i);
    for (long i = 0; i < threads; i++) pthread_join(ids[i], NULL);
    for (int kind = 0; kind < KINDS; kind++) {
        if (counts[kind] == threads * rounds) continue;
        printf("%s: %ld instead of %ld\n", names[kind], counts[kind], threads * rounds);
        broken++;
    }
    for (int kind = 0; kind < 5; kind++)
        if (pthread_mutex_destroy(&mutexes[kind])) broken++;
    if (broken) printf("%ld broken\n", broken);
    return broken != 0;
}

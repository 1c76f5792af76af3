// THREADS threads, each with mutexes of its own; prints what a lock and unlock cost while HELD other mutexes are held, in ns, the
// slowest thread's figure. Each thread goes round LOCKS inner mutexes.
//
// A second thread is always alive, and the thread's own processor time is measured: see pair_cost.c.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PAIRS = 2000000, MOST_HELD = 8 };

static pthread_barrier_t start;
static long locks, held;

static double cpu_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

// The same calls for the first acquisitions and for those that count: a lock is new at each place that acquires it.
__attribute__((noinline)) static void acquire(pthread_mutex_t *mutexes, long pairs) {
    long next = 0;
    for (long i = 0; i < pairs; i++) {
        pthread_mutex_lock(&mutexes[next]);
        pthread_mutex_unlock(&mutexes[next]);
        if (++next == locks) next = 0;
    }
}

static void *work(void *cost) {
    pthread_mutex_t outer[MOST_HELD];
    pthread_mutex_t *mutexes = aligned_alloc(128, (locks * sizeof *mutexes + 127) / 128 * 128);
    for (long i = 0; i < locks; i++) pthread_mutex_init(&mutexes[i], NULL);
    for (long i = 0; i < held; i++) pthread_mutex_init(&outer[i], NULL);
    for (long i = 0; i < held; i++) pthread_mutex_lock(&outer[i]);
    acquire(mutexes, 2 * locks);
    pthread_barrier_wait(&start);
    double begin = cpu_ns();
    acquire(mutexes, PAIRS);
    *(double *)cost = (cpu_ns() - begin) / PAIRS;
    for (long i = 0; i < held; i++) pthread_mutex_unlock(&outer[i]);
    return NULL;
}

int main(int argc, char **argv) {
    int threads = argc > 1 ? atoi(argv[1]) : 2;
    locks = argc > 2 ? atol(argv[2]) : 1;
    held = argc > 3 ? atol(argv[3]) : 1;
    pthread_t ids[64];
    double costs[64], slowest = 0;
    if (threads < 1 || threads > 64 || held < 0 || held > MOST_HELD || locks < 1) return 2;
    pthread_barrier_init(&start, NULL, threads);
    for (int i = 0; i < threads; i++) pthread_create(&ids[i], NULL, work, &costs[i]);
    for (int i = 0; i < threads; i++) {
        pthread_join(ids[i], NULL);
        if (costs[i] > slowest) slowest = costs[i];
    }
    printf("%.2f\n", slowest);
    return 0;
}

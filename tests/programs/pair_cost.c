// THREADS threads, each with a mutex of its own; prints what a lock and unlock cost, in ns, the slowest thread's figure.
// With the second argument, each thread goes round LOCKS mutexes of its own instead of one; with the third, PAIRS times.
//
// A second thread is always alive, because the GNU C library skips its atomics while there is only one. Measured is the
// thread's own processor time, which nobody waits in: other programs on the machine do not lengthen it.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long pairs_each = 2000000;

static pthread_barrier_t start;
static long locks;

static double cpu_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

// The same calls for the first acquisitions and for those that count: a lock is new at each place that acquires it.
__attribute__((noinline)) static void acquire(pthread_mutex_t *mutexes, long pairs) {
    if (locks == 1) {
        for (long i = 0; i < pairs; i++) {
            pthread_mutex_lock(mutexes);
            pthread_mutex_unlock(mutexes);
        }
    } else {
        long next = 0;
        for (long i = 0; i < pairs; i++) {
            pthread_mutex_lock(&mutexes[next]);
            pthread_mutex_unlock(&mutexes[next]);
            if (++next == locks) next = 0;
        }
    }
}

static void *work(void *cost) {
    pthread_mutex_t *mutexes = aligned_alloc(128, (locks * sizeof *mutexes + 127) / 128 * 128);
    for (long i = 0; i < locks; i++) pthread_mutex_init(&mutexes[i], NULL);
    // The first acquisitions of a lock are not what is asked for.
    acquire(mutexes, locks);
    pthread_barrier_wait(&start);
    double begin = cpu_ns();
    acquire(mutexes, pairs_each);
    *(double *)cost = (cpu_ns() - begin) / pairs_each;
    return NULL;
}

int main(int argc, char **argv) {
    int threads = argc > 1 ? atoi(argv[1]) : 2;
    locks = argc > 2 ? atol(argv[2]) : 1;
    if (argc > 3) pairs_each = atol(argv[3]);
    pthread_t ids[64];
    double costs[64], slowest = 0;
    if (threads < 1 || threads > 64) return 2;
    pthread_barrier_init(&start, NULL, threads);
    for (int i = 0; i < threads; i++) pthread_create(&ids[i], NULL, work, &costs[i]);
    for (int i = 0; i < threads; i++) {
        pthread_join(ids[i], NULL);
        if (costs[i] > slowest) slowest = costs[i];
    }
    printf("%.2f\n", slowest);
    return 0;
}

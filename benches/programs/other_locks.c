/* Usage: other_locks spin|rwlock THREADS MILLISECONDS. The threads look up and sometimes change a small table under one lock: of sixteen
 * operations one is a change, which takes a reader-writer lock for writing. Prints million operations a second.
 *
 * Counted is what was done while all threads were there. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SLOTS 64
#define CHANGES 16

static pthread_spinlock_t spin;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static int is_spin;
static unsigned long table[SLOTS];
static atomic_int stop;
static pthread_barrier_t all_there;

static double now_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void acquire(int changes) {
    if (is_spin)
        pthread_spin_lock(&spin);
    else if (changes)
        pthread_rwlock_wrlock(&rwlock);
    else
        pthread_rwlock_rdlock(&rwlock);
}

static void release(void) {
    if (is_spin)
        pthread_spin_unlock(&spin);
    else
        pthread_rwlock_unlock(&rwlock);
}

static void *work(void *counter) {
    unsigned long operations = 0, sum = 0;
    pthread_barrier_wait(&all_there);
    while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
        int changes = operations % CHANGES == 0;
        acquire(changes);
        if (changes)
            table[operations % SLOTS]++;
        else
            sum += table[operations % SLOTS];
        release();
        operations++;
    }
    // The sum is part of the result, so that the lookups are not left out.
    *(unsigned long *)counter = operations + (sum == 1);
    return NULL;
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    is_spin = strcmp(argv[1], "spin") == 0;
    int threads = atoi(argv[2]);
    long milliseconds = atol(argv[3]);
    if (threads < 1 || threads > 64) return 2;
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_t ids[64];
    unsigned long counters[64], operations = 0;
    pthread_barrier_init(&all_there, NULL, threads + 1);
    for (int i = 0; i < threads; i++)
        if (pthread_create(&ids[i], NULL, work, &counters[i])) return 1;
    pthread_barrier_wait(&all_there);
    double begin = now_seconds();
    struct timespec length = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&length, NULL);
    double seconds = now_seconds() - begin;
    atomic_store(&stop, 1);
    for (int i = 0; i < threads; i++) {
        pthread_join(ids[i], NULL);
        operations += counters[i];
    }
    printf("%.3f\n", operations / seconds / 1e6);
    return 0;
}

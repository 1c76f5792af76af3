// mutex_own_rseq THREADS: each thread registers an area of its own with the kernel (rseq(2)), as libraries with data of each
// processor do. It is refused where the C library has registered one, which it can be told not to. Then the threads count under a
// mutex. Succeeds if no count is lost, and if the kernel writes to the areas that it has accepted.
#define _GNU_SOURCE
#include <linux/rseq.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ROUNDS = 8000, SIGNATURE = 0x53053053 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile long count;
static long rounds, refused, broken;
static __thread struct rseq area __attribute__((aligned(32)));

static void *work(void *unused) {
    area.cpu_id = RSEQ_CPU_ID_UNINITIALIZED;
    int is_refused = syscall(SYS_rseq, &area, sizeof area, 0, SIGNATURE) != 0;
    for (long round = 0; round < rounds; round++) {
        pthread_mutex_lock(&mutex);
        count++;
        if (round % 64 == 0) sched_yield();
        pthread_mutex_unlock(&mutex);
        if (!is_refused && area.cpu_id >= CPU_SETSIZE) __atomic_fetch_add(&broken, 1, __ATOMIC_RELAXED);
    }
    __atomic_fetch_add(&refused, is_refused, __ATOMIC_RELAXED);
    return unused;
}

int main(int argc, char **argv) {
    long threads = argc > 1 ? atol(argv[1]) : 8;
    pthread_t ids[256];
    if (threads < 1 || threads > 256) return 2;
    rounds = ROUNDS / threads;
    for (long i = 0; i < threads; i++) pthread_create(&ids[i], NULL, work, NULL);
    for (long i = 0; i < threads; i++) pthread_join(ids[i], NULL);
    printf("%s\n", refused == 0 ? "accepted" : refused == threads ? "refused" : "refused to some");
    if (count != threads * rounds) printf("%ld instead of %ld\n", count, threads * rounds);
    return count != threads * rounds || broken != 0;
}

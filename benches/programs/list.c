/* THREADS threads, for MILLISECONDS: each takes a node off one list, then puts it back, every time under the one mutex.
 * An allocator's free list. Prints million operations a second.
 *
 * Counted is what was done while all threads were there. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct node {
    _Alignas(64) struct node *next;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct node *list;
static atomic_int stop;
static pthread_barrier_t all_there;

static double now_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void *work(void *counter) {
    unsigned long operations = 0;
    pthread_barrier_wait(&all_there);
    while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
        pthread_mutex_lock(&mutex);
        struct node *node = list;
        list = node->next;
        pthread_mutex_unlock(&mutex);

        pthread_mutex_lock(&mutex);
        node->next = list;
        list = node;
        pthread_mutex_unlock(&mutex);
        operations += 2;
    }
    *(unsigned long *)counter = operations;
    return NULL;
}

int main(int argc, char **argv) {
    int threads = argc > 1 ? atoi(argv[1]) : 4;
    long milliseconds = argc > 2 ? atol(argv[2]) : 300;
    if (threads < 1 || threads > 64) return 2;
    struct node *nodes = aligned_alloc(64, 2 * threads * sizeof *nodes);
    for (int i = 0; i < 2 * threads; i++) {
        nodes[i].next = list;
        list = &nodes[i];
    }
    pthread_t ids[64];
    unsigned long counters[64], operations = 0;
    pthread_barrier_init(&all_there, NULL, threads + 1);
    for (int i = 0; i < threads; i++) pthread_create(&ids[i], NULL, work, &counters[i]);
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

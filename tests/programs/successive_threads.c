// COUNT threads one after another, or AT_ONCE at a time; each acquires one mutex once in its body and once in a
// destructor of thread-specific data, in the last round that the C library makes.
//
// Answer: 2 * COUNT acquisitions of one lock.
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static pthread_barrier_t all_alive;
static int at_once;

static void at_end(void *round) {
    if ((long)round < PTHREAD_DESTRUCTOR_ITERATIONS) {
        pthread_setspecific(key, (void *)((long)round + 1));
        return;
    }
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

static void *work(void *unused) {
    pthread_setspecific(key, (void *)1);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    if (at_once > 1) pthread_barrier_wait(&all_alive);
    return unused;
}

int main(int argc, char **argv) {
    int count = argc > 1 ? atoi(argv[1]) : 100;
    at_once = argc > 2 ? atoi(argv[2]) : 1;
    pthread_barrier_init(&all_alive, NULL, at_once);
    pthread_key_create(&key, at_end);
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN + 16384);
    pthread_t *threads = calloc(at_once, sizeof *threads);
    int made = 0;
    while (made < count) {
        int begun = 0;
        for (; begun < at_once; begun++) {
            if (pthread_create(&threads[begun], &small, work, NULL) != 0) return 2;
        }
        for (int i = 0; i < begun; i++) pthread_join(threads[i], NULL);
        made += begun;
    }
    printf("%d threads\n", made);
    return 0;
}

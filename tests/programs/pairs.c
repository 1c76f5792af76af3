// THREADS threads, each with a mutex of its own that it acquires PAIRS times from one place; then one mutex that all
// acquire, ten times a thread. Nothing is ever waited for before the shared part.
//
// Answer: THREADS locks with PAIRS acquisitions each by one thread, one lock with THREADS * 10.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct own {
    pthread_mutex_t mutex;
    char keep_apart[128];
};

static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER;
static long pairs;

static void *work(void *argument) {
    struct own *own = argument;
    for (long i = 0; i < pairs; i++) {
        pthread_mutex_lock(&own->mutex);
        pthread_mutex_unlock(&own->mutex);
    }
    for (int i = 0; i < 10; i++) {
        pthread_mutex_lock(&shared);
        pthread_mutex_unlock(&shared);
    }
    return NULL;
}

int main(int argc, char **argv) {
    int threads = argc > 1 ? atoi(argv[1]) : 2;
    pairs = argc > 2 ? atol(argv[2]) : 1000;
    struct own *own = calloc(threads, sizeof *own);
    pthread_t *ids = calloc(threads, sizeof *ids);
    for (int i = 0; i < threads; i++) {
        pthread_mutex_init(&own[i].mutex, NULL);
        pthread_create(&ids[i], NULL, work, &own[i]);
    }
    for (int i = 0; i < threads; i++) pthread_join(ids[i], NULL);
    printf("%d threads, %ld pairs each\n", threads, pairs);
    return 0;
}

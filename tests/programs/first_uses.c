// LOCKS mutexes, each acquired for the first time, one after the other, from one place.
//
// Prints how long a first acquisition and its release take, in nanoseconds. With a second argument, all are acquired again, and that
// is what is timed.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e9 + now.tv_nsec;
}

static double go_through(pthread_mutex_t *mutexes, long locks) {
    double before = now_ns();
    for (long i = 0; i < locks; i++) {
        pthread_mutex_lock(&mutexes[i]);
        pthread_mutex_unlock(&mutexes[i]);
    }
    return (now_ns() - before) / locks;
}

int main(int argc, char **argv) {
    long locks = argc > 1 ? atol(argv[1]) : 1000;
    pthread_mutex_t *mutexes = malloc(locks * sizeof *mutexes);
    if (mutexes == NULL) return 1;
    // Zeros are mutexes. The pages are there before the first is used.
    memset(mutexes, 0, locks * sizeof *mutexes);
    double first = go_through(mutexes, locks), later = go_through(mutexes, locks);
    printf("%.2f\n", argc > 2 ? later : first);
    return 0;
}

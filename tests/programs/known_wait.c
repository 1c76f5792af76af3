// One thread holds a mutex, ROUNDS times, until the other waits for it and for HOLD_MS milliseconds more, never otherwise.
// The waiter measures each wait itself.
//
// Answer: ROUNDS contended acquisitions at the waiter's site. Prints "total MAX" of the waits as it saw them, in ns.
#include "measure.h"
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t held, released;
static struct coming coming;
static int rounds, hold_ms;

static void *hold(void *unused) {
    for (int i = 0; i < rounds; i++) {
        pthread_mutex_lock(&mutex);
        pthread_barrier_wait(&held);
        await_waiter(&coming);
        sleep_ns(hold_ms * 1000000LL);
        pthread_mutex_unlock(&mutex);
        pthread_barrier_wait(&released);
    }
    return unused;
}

int main(int argc, char **argv) {
    rounds = argc > 1 ? atoi(argv[1]) : 5;
    hold_ms = argc > 2 ? atoi(argv[2]) : 20;
    pthread_barrier_init(&held, NULL, 2);
    pthread_barrier_init(&released, NULL, 2);
    pthread_t holder;
    pthread_create(&holder, NULL, hold, NULL);
    long long total = 0, max = 0;
    for (int i = 0; i < rounds; i++) {
        pthread_barrier_wait(&held);
        come(&coming);
        long long begin = now_ns();
        pthread_mutex_lock(&mutex);
        long long waited = now_ns() - begin;
        pthread_mutex_unlock(&mutex);
        total += waited;
        if (waited > max) max = waited;
        pthread_barrier_wait(&released);
    }
    pthread_join(holder, NULL);
    printf("%lld %lld\n", total, max);
    return 0;
}

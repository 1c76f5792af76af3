// Two functions that hold one mutex, and both acquire it by a function of a library, as programs of libuv do: the return address of the
// call of pthread_mutex_lock is the same for both. Each holder stays until the other thread waits, and from then on for its own time.
//
// Answers: "for_long WAITED_NS" and "for_short WAITED_NS", as the waiter found them.
#include "measure.h"
#include <pthread.h>

#define ROUNDS 12

static pthread_mutex_t wrapped = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t held, released;
static struct coming coming;

__attribute__((noinline)) static void uv_mutex_lock(pthread_mutex_t *mutex) {
    pthread_mutex_lock(mutex);
    // Or the call above would be a jump, which returns elsewhere.
    __asm__ volatile("" ::: "memory");
}

static void be_waited_for(long long ns) {
    pthread_barrier_wait(&held);
    await_waiter(&coming);
    sleep_ns(ns);
    pthread_mutex_unlock(&wrapped);
    pthread_barrier_wait(&released);
}

__attribute__((noinline)) static void hold_long(void) {
    uv_mutex_lock(&wrapped);
    be_waited_for(9000000);
}

__attribute__((noinline)) static void hold_short(void) {
    uv_mutex_lock(&wrapped);
    be_waited_for(1000000);
}

static void *hold(void *unused) {
    // Before anybody has ever waited for it, a holder's calls are not looked at.
    for (int i = 0; i < ROUNDS; i++) {
        hold_long();
        hold_short();
    }
    return unused;
}

__attribute__((noinline)) static long long wait_for_it(void) {
    pthread_barrier_wait(&held);
    come(&coming);
    long long begin = now_ns();
    pthread_mutex_lock(&wrapped);
    long long waited = now_ns() - begin;
    pthread_mutex_unlock(&wrapped);
    pthread_barrier_wait(&released);
    return waited;
}

int main(void) {
    pthread_barrier_init(&held, NULL, 2);
    pthread_barrier_init(&released, NULL, 2);
    pthread_t holder;
    pthread_create(&holder, NULL, hold, NULL);
    long long for_long = 0, for_short = 0;
    for (int i = 0; i < ROUNDS; i++) {
        for_long += wait_for_it();
        for_short += wait_for_it();
    }
    pthread_join(holder, NULL);
    answer("for_long", for_long);
    answer("for_short", for_short);
    return 0;
}

// A chain of waits, ROUNDS times: one thread holds `chained` at site_a, a second waits for it and then holds it at site_b,
// a third waits for both, at site_c. The hold at A goes on for 30 ms after the third has come, the one at B for 15 ms.
//
// Answer: the second waits for A alone; of the third's waiting, two thirds are A's and one third B's. Prints, in ns: how
// long B and C waited as they saw it themselves, and what of C's waiting lay within A's hold and within B's. (The rest is
// nobody's: the second was waking up.)
#include "measure.h"
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t chained = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t together;
static volatile int held_a, waiting_b, waiting_c;
static volatile long long released_a_ns;
static long long wait_b_ns, wait_c_ns, within_a_ns, within_b_ns;
static int rounds = 3;

__attribute__((noinline)) static void site_a(void) {
    pthread_mutex_lock(&chained);
    held_a = 1;
    while (!waiting_c) spin_ns(1000);
    spin_ns(30000000);
    released_a_ns = now_ns();
    pthread_mutex_unlock(&chained);
}

__attribute__((noinline)) static void site_b(void) {
    long long begin = now_ns();
    waiting_b = 1;
    pthread_mutex_lock(&chained);
    long long acquired = now_ns();
    wait_b_ns += acquired - begin;
    spin_ns(15000000);
    within_b_ns += now_ns() - acquired;
    pthread_mutex_unlock(&chained);
}

__attribute__((noinline)) static void site_c(void) {
    long long begin = now_ns();
    waiting_c = 1;
    pthread_mutex_lock(&chained);
    long long end = now_ns();
    wait_c_ns += end - begin;
    within_a_ns += released_a_ns - begin;
    pthread_mutex_unlock(&chained);
}

static void *first(void *unused) {
    for (int i = 0; i < rounds; i++) {
        site_a();
        pthread_barrier_wait(&together);
        pthread_barrier_wait(&together);
    }
    return unused;
}

static void *second(void *unused) {
    for (int i = 0; i < rounds; i++) {
        while (!held_a) sleep_ns(100000);
        site_b();
        pthread_barrier_wait(&together);
        pthread_barrier_wait(&together);
    }
    return unused;
}

static void *third(void *unused) {
    for (int i = 0; i < rounds; i++) {
        while (!waiting_b) sleep_ns(100000);
        // Long enough that the second has surely fallen asleep: the kernel wakes in the order of coming.
        sleep_ns(10000000);
        site_c();
        pthread_barrier_wait(&together);
        held_a = waiting_b = waiting_c = 0;
        pthread_barrier_wait(&together);
    }
    return unused;
}

int main(int argc, char **argv) {
    if (argc > 1) rounds = atoi(argv[1]);
    void *(*roles[])(void *) = {first, second, third};
    pthread_t threads[3];
    pthread_barrier_init(&together, NULL, 3);
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, roles[i], NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    answer("rounds", rounds);
    answer("wait_b", wait_b_ns);
    answer("wait_c", wait_c_ns);
    answer("within_a", within_a_ns);
    answer("within_b", within_b_ns);
    return 0;
}

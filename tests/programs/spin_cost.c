// A fixed amount of work for `cargo xtask spin-cost`, in one of three ways: "computes", "switches" (two threads on one CPU wake each other
// by pipes) and "spins" (two threads hand a turn to each other by a word that they wait for). Prints the time that the work took, and the
// CPU time of the whole program up to then.
#include "measure.h"
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static long amount;
static int there[2], back[2];
static atomic_long turn;

static void compute(void) {
    volatile double sum = 1;
    for (long i = 0; i < amount; i++)
        sum = sum * 1.0000001 + 1e-9;
}

static void pass(int from, int to) {
    char byte = 0;
    if (read(from, &byte, 1) != 1 || write(to, &byte, 1) != 1)
        abort();
}

static void *reply(void *unused) {
    for (long i = 0; i < amount; i++)
        pass(there[0], back[1]);
    return unused;
}

static void ask(void) {
    char byte = 0;
    for (long i = 0; i < amount; i++)
        if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
            abort();
}

static void take_turns(long first) {
    for (long i = first; i < amount; i += 2) {
        while (atomic_load_explicit(&turn, memory_order_acquire) != i) {
        }
        for (volatile int work = 0; work < 200; work++) {
        }
        atomic_store_explicit(&turn, i + 1, memory_order_release);
    }
}

static void *take_odd_turns(void *unused) {
    take_turns(1);
    return unused;
}

int main(int count, char **arguments) {
    if (count < 3)
        return 2;
    const char *way = arguments[1];
    amount = atol(arguments[2]);
    pthread_t thread;
    long long begin = now_ns();
    if (strcmp(way, "computes") == 0) {
        compute();
    } else if (strcmp(way, "switches") == 0) {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(0, &one);
        sched_setaffinity(0, sizeof one, &one);
        if (pipe(there) || pipe(back) || pthread_create(&thread, NULL, reply, NULL))
            abort();
        ask();
        pthread_join(thread, NULL);
    } else if (strcmp(way, "spins") == 0) {
        if (pthread_create(&thread, NULL, take_odd_turns, NULL))
            abort();
        take_turns(0);
        pthread_join(thread, NULL);
    } else {
        return 2;
    }
    long long took = now_ns() - begin;
    printf("took ns=%lld\ncpu ns=%lld\n", took, clock_ns(CLOCK_PROCESS_CPUTIME_ID));
    return 0;
}

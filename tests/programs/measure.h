// For programs that know how long they held and waited: a clock, holds of a chosen length, and bounds.
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdio.h>
#include <time.h>

// What a recorder must find lies between these, whatever else the machine does meanwhile: `inner` is measured with the
// clock read just after the lock function and just before the unlock function, `outer` just before and just after. `longest` is the
// longest of the outer ones, where it is kept.
struct bounds {
    long long inner_ns, outer_ns, count, longest_ns;
};

static inline long long now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

// Keeps the processor busy for about this long.
static inline void spin_ns(long long ns) {
    long long end = now_ns() + ns;
    while (now_ns() < end)
        ;
}

static inline void sleep_ns(long long ns) {
    struct timespec time = {ns / 1000000000LL, ns % 1000000000LL};
    while (nanosleep(&time, &time) != 0)
        ;
}

// One line of answers: what, then numbers.
static inline void answer_bounds(const char *what, struct bounds bounds) {
    printf("%s %lld %lld %lld %lld\n", what, bounds.inner_ns, bounds.outer_ns, bounds.count, bounds.longest_ns);
}

static inline void answer(const char *what, long long number) { printf("%s %lld\n", what, number); }

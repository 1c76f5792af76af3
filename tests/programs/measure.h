// For programs that know how long they held and waited: a clock, holds of a chosen length, and bounds.
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// What a recorder must find lies between these, whatever else the machine does meanwhile: `inner` is measured with the
// clock read just after the lock function and just before the unlock function, `outer` just before and just after. `longest` is the
// longest of the outer ones, where it is kept.
struct bounds {
    long long inner_ns, outer_ns, count, longest_ns;
};

static inline long long clock_ns(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static inline long long now_ns(void) { return clock_ns(CLOCK_MONOTONIC); }

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

// Whoever is about to ask for a lock that another thread holds; nobody at first.
struct coming {
    volatile int thread;
    clockid_t cpu_clock;
    long long cpu_ns;
};

// Called by who comes, just before the lock function.
static inline void come(struct coming *coming) {
    pthread_getcpuclockid(pthread_self(), &coming->cpu_clock);
    coming->cpu_ns = clock_ns(coming->cpu_clock);
    __atomic_store_n(&coming->thread, (int)syscall(SYS_gettid), __ATOMIC_RELEASE);
}

static inline int is_asleep(int thread) {
    char path[64], text[256];
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread);
    int file = open(path, O_RDONLY);
    ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0) close(file);
    text[length > 0 ? length : 0] = 0;
    // The state follows the name, which is in parentheses.
    const char *name_end = strrchr(text, ')');
    return name_end && strncmp(name_end, ") S", 3) == 0;
}

// Called by the holder: returns once somebody has come and waits for sure. However long the processors belong to others just
// then, it is asleep, or it has spun for longer than it takes to ask.
static inline void await_waiter(struct coming *coming) {
    int thread;
    while (!(thread = __atomic_load_n(&coming->thread, __ATOMIC_ACQUIRE))) sleep_ns(50000);
    while (!is_asleep(thread) && clock_ns(coming->cpu_clock) - coming->cpu_ns < 1000000) sleep_ns(50000);
    coming->thread = 0;
}

// One line of answers: what, then numbers.
static inline void answer_bounds(const char *what, struct bounds bounds) {
    printf("%s %lld %lld %lld %lld\n", what, bounds.inner_ns, bounds.outer_ns, bounds.count, bounds.longest_ns);
}

static inline void answer(const char *what, long long number) { printf("%s %lld\n", what, number); }

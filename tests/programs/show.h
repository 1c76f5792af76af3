// For programs that print what functions returned: the output must be the same bare and recorded.
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <stdio.h>
#include <time.h>

// Prints a call with its result, and whether it touched errno, which functions that return their error must not.
#define SHOW(call)                                             \
    do {                                                       \
        errno = 77;                                            \
        int result_ = (int)(call);                             \
        printf("%-66s %d%s\n", #call, result_, errno == 77 ? "" : " errno changed"); \
    } while (0)

// Prints a call that returns its error in errno.
#define SHOW_ERRNO(call)                                       \
    do {                                                       \
        errno = 77;                                            \
        int result_ = (int)(call);                             \
        printf("%-66s %d errno %d\n", #call, result_, errno);  \
    } while (0)

// A deadline `ms` milliseconds from now.
static inline struct timespec in_ms(clockid_t clock, long ms) {
    struct timespec time;
    clock_gettime(clock, &time);
    time.tv_nsec += ms % 1000 * 1000000L;
    time.tv_sec += ms / 1000 + time.tv_nsec / 1000000000L;
    time.tv_nsec %= 1000000000L;
    return time;
}

static inline void sleep_ms(long ms) {
    struct timespec time = {ms / 1000, ms % 1000 * 1000000L};
    while (nanosleep(&time, &time) != 0)
        ;
}

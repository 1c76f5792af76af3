// For the programs of this folder: a hold whose length is set from outside, so that its effect can be measured.

#include <stdlib.h>
#include <time.h>

/// Computes for HOLD_US microseconds of CPU time. HOLD_US is an environment variable; if it is not set, the function returns at once.
static void hold_longer(void) {
    static long hold_us = -1;
    if (hold_us < 0) hold_us = getenv("HOLD_US") ? atol(getenv("HOLD_US")) : 0;
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    long until = now.tv_sec * 1000000000 + now.tv_nsec + hold_us * 1000;
    while (now.tv_sec * 1000000000 + now.tv_nsec < until) clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
}

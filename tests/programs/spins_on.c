// A thread waits for `flag` in a loop, again and again, until standard input ends; another thread sets the flag now and then. Prints
// `ready PID` once both run.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
static inline void relax(void) { __builtin_ia32_pause(); }
#else
static inline void relax(void) { __asm__ volatile("yield" ::: "memory"); }
#endif

atomic_int flag;

static void *wait_for_flag(void *unused) {
    for (;;)
        while (!atomic_load_explicit(&flag, memory_order_acquire))
            relax();
    return unused;
}

static void *set_flag(void *unused) {
    struct timespec off = {0, 20000000}, on = {0, 100000};
    for (;;) {
        nanosleep(&off, NULL);
        atomic_store(&flag, 1);
        nanosleep(&on, NULL);
        atomic_store(&flag, 0);
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    if (pthread_create(&threads[0], NULL, wait_for_flag, NULL) || pthread_create(&threads[1], NULL, set_flag, NULL))
        abort();
    printf("ready %d\n", getpid());
    fflush(stdout);
    while (getchar() != EOF) {
    }
    return 0;
}

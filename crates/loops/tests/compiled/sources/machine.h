// What the loops need of the machine, without a C library: the kept bytes are all there is.
#include <stdatomic.h>
#include <stdbool.h>

#ifdef __clang__
#define NEVER_INLINE __attribute__((noinline))
#else
#define NEVER_INLINE __attribute__((noinline, noclone))
#endif

struct timespec {
    long tv_sec, tv_nsec;
};
int sched_yield(void);
int clock_gettime(int clock, struct timespec *now);
long read_file(int file, char *to, long n);
int sleep_on(atomic_int *word);
int try_lock(atomic_int *word);
void start(void *argument);
void escape(void *pointer);

#if defined(__x86_64__)
static inline void relax(void) { __builtin_ia32_pause(); }
static inline unsigned long long cycles(void) { return __builtin_ia32_rdtsc(); }
#else
static inline void relax(void) { __asm__ volatile("yield" ::: "memory"); }
static inline unsigned long long cycles(void) {
    unsigned long long now;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(now));
    return now;
}
#endif

// A thread that waits without a lock while another one sleeps, in one of several ways: the first argument. Prints how much CPU time the
// waiting thread spent waiting, by its own clock: `record` must find that time, and no other.
//
// Compiled with and without optimisation. The word is on the heap unless the way is "plain", whose word is a variable.
#include "measure.h"
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

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

enum { ROUNDS = 12, SLEPT_NS = 100000000 };

volatile int plain_word;
static atomic_int *word;
static atomic_int turn;

static void wait_plain(void) {
    while (!plain_word) {
    }
}

static void wait_pause(void) {
    while (!atomic_load_explicit(word, memory_order_acquire))
        relax();
}

static void wait_yield(void) {
    while (!atomic_load_explicit(word, memory_order_acquire))
        sched_yield();
}

// The word is a lock: taken while it is 0.
static void wait_exchange(void) {
    while (atomic_exchange_explicit(word, 0, memory_order_acquire) == 0) {
    }
}

static void wait_clock(void) {
    unsigned long long begin = cycles();
    while (!atomic_load_explicit(word, memory_order_acquire))
        if (cycles() - begin > 1ull << 62)
            abort();
}

static void wait_deadline(void) {
    long long end = now_ns() + 60000000000LL;
    while (!atomic_load_explicit(word, memory_order_acquire))
        if (now_ns() > end)
            abort();
}

static void wait_back_off(void) {
    unsigned rounds = 1;
    while (!atomic_load_explicit(word, memory_order_acquire)) {
        for (unsigned i = 0; i < rounds; i++)
            relax();
        if (rounds < 4096)
            rounds *= 2;
    }
}

#if defined(__x86_64__)
// By hand: no frame, no alignment, the word's address in an unusual register.
void wait_by_hand(atomic_int *at);
__asm__(".text\n"
        ".globl wait_by_hand\n"
        ".type wait_by_hand, @function\n"
        "wait_by_hand:\n"
        "  mov %rdi, %r11\n"
        "  jmp 2f\n"
        "1: rep; nop\n"
        "2: testl $-1, (%r11)\n"
        "  jz 1b\n"
        "  ret\n"
        ".size wait_by_hand, .-wait_by_hand\n");
static void wait_assembly(void) { wait_by_hand(word); }
#else
static void wait_assembly(void) { wait_pause(); }
#endif

static const struct {
    const char *name;
    void (*wait)(void);
} ways[] = {
    {"plain", wait_plain},       {"pause", wait_pause},       {"yield", wait_yield},       {"exchange", wait_exchange}, {"clock", wait_clock},
    {"deadline", wait_deadline}, {"back-off", wait_back_off}, {"assembly", wait_assembly},
};

static void *spin(void *way) {
    void (*wait)(void) = ways[(long)way].wait;
    long long spent_ns = 0;
    for (int round = 0; round < ROUNDS; round++) {
        atomic_store(&turn, round + 1);
        long long begin = clock_ns(CLOCK_THREAD_CPUTIME_ID);
        wait();
        spent_ns += clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
        plain_word = 0;
        atomic_store(word, 0);
    }
    printf("spun_ns %lld\n", spent_ns);
    printf("cpu_ns %lld\n", clock_ns(CLOCK_PROCESS_CPUTIME_ID));
    return NULL;
}

int main(int count, char **arguments) {
    long way = -1;
    for (long i = 0; i < (long)(sizeof ways / sizeof *ways); i++)
        if (count > 1 && strcmp(ways[i].name, arguments[1]) == 0)
            way = i;
    if (way < 0)
        return 2;
    word = calloc(1, 64);
    pthread_t thread;
    pthread_create(&thread, NULL, spin, (void *)way);
    for (int round = 0; round < ROUNDS; round++) {
        while (atomic_load(&turn) != round + 1)
            sleep_ns(1000000);
        sleep_ns(SLEPT_NS);
        plain_word = 1;
        atomic_store(word, 1);
    }
    pthread_join(thread, NULL);
    return 0;
}

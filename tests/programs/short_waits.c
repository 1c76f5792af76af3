// Waits for a mutex that are as long as asked for, measured by the processor's counter just before and just after the lock function.
//
//     short_waits KIND LENGTH_NS COUNT PROCESSORS [once]
//
// KIND is mutex (whose waiters sleep) or spin. One thread holds the lock until LENGTH_NS after the other has
// begun to ask for it, then releases it; COUNT times a batch. PROCESSORS is 1 (both threads on one) or 2 (each on its own).
//
// Says "ready", and works when a line comes, or once without being asked: "waited COUNT TOTAL_NS" are the waits as the program found them, "held TOTAL_NS" is the part
// of them up to the release, then "done".
#include "measure.h"
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t spin;
static int spins, processors;
static uint64_t length_ticks, rounds;
static double ns_a_tick;

// On cache lines of their own: who looks at one must not delay who writes another.
static struct {
    _Alignas(128) uint64_t value;
} held, asked, rested;

static inline uint64_t ticks(void) {
#ifdef __x86_64__
    // What was done before is over when the counter is read, and what comes later has not begun.
    uint32_t low, high;
    __asm__ volatile("lfence; rdtsc; lfence" : "=a"(low), "=d"(high)::"memory");
    return (uint64_t)high << 32 | low;
#else
    uint64_t value;
    __asm__ volatile("isb; mrs %0, cntvct_el0; isb" : "=r"(value)::"memory");
    return value;
#endif
}

// Reading the counter is in every difference once.
static uint64_t reading_ticks(void) {
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 1000; i++) {
        uint64_t before = ticks(), between = ticks() - before;
        if (between < least) least = between;
    }
    return least;
}

static void find_rate(void) {
    uint64_t since = ticks();
    long long since_ns = now_ns();
    while (now_ns() - since_ns < 50000000)
        ;
    ns_a_tick = (double)(now_ns() - since_ns) / (double)(ticks() - since);
}

static uint64_t load(uint64_t *place) { return __atomic_load_n(place, __ATOMIC_ACQUIRE); }
static void store(uint64_t *place, uint64_t value) { __atomic_store_n(place, value, __ATOMIC_RELEASE); }

static void await(uint64_t *place, uint64_t value) {
    for (unsigned turn = 1; load(place) != value; turn++)
        // On a processor of its own it looks again at once, unless the other cannot run.
        if (processors == 1 || turn % 4096 == 0) sched_yield();
}

static void stay_on(int processor) {
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(processor % (int)sysconf(_SC_NPROCESSORS_ONLN), &only);
    pthread_setaffinity_np(pthread_self(), sizeof only, &only);
}

// Where that is allowed, nobody else runs in between. A batch is short.
static void stay_in_front(void) {
    struct sched_param first = {.sched_priority = 1};
    pthread_setschedparam(pthread_self(), SCHED_FIFO, &first);
}

static void acquire(void) {
    if (spins)
        pthread_spin_lock(&spin);
    else
        pthread_mutex_lock(&mutex);
}

static void release(void) {
    if (spins)
        pthread_spin_unlock(&spin);
    else
        pthread_mutex_unlock(&mutex);
}

static uint64_t began, held_ticks;

__attribute__((noinline)) static void *hold(void *unused) {
    stay_on(processors == 1 ? 0 : 1);
    stay_in_front();
    for (uint64_t i = 1; i <= rounds; i++) {
        acquire();
        store(&held.value, i);
        await(&asked.value, i);
        uint64_t until = began + length_ticks, now;
        while ((now = ticks()) < until)
            ;
        held_ticks += now - began;
        release();
        await(&rested.value, i);
    }
    return unused;
}

__attribute__((noinline)) static uint64_t wait_for_it(void) {
    uint64_t waited = 0, reading = reading_ticks();
    for (uint64_t i = 1; i <= rounds; i++) {
        await(&held.value, i);
        began = ticks();
        store(&asked.value, i);
        acquire();
        waited += ticks() - began - reading;
        release();
        store(&rested.value, i);
    }
    return waited;
}

static void batch(void) {
    held.value = asked.value = rested.value = held_ticks = 0;
    pthread_t holder;
    pthread_create(&holder, NULL, hold, NULL);
    uint64_t waited = wait_for_it();
    pthread_join(holder, NULL);
    printf("waited %llu %.0f\nheld %.0f\ndone\n", (unsigned long long)rounds, (double)waited * ns_a_tick, (double)held_ticks * ns_a_tick);
}

int main(int count, char **words) {
    char line[16];
    if (count < 5) return 2;
    spins = !strcmp(words[1], "spin");
    rounds = strtoull(words[3], NULL, 10);
    processors = atoi(words[4]);
    find_rate();
    length_ticks = (uint64_t)(strtod(words[2], NULL) / ns_a_tick);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    setvbuf(stdout, NULL, _IOLBF, 0);
    stay_on(0);
    stay_in_front();
    printf("ready\n");
    if (count > 5)
        batch();
    else
        while (fgets(line, sizeof line, stdin)) batch();
    return 0;
}

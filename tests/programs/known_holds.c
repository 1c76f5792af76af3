// Holds of every shape, never waited for. Prints a line for each mutex: its name, the bounds of how long it was held
// altogether, in ns, how often, and the longest hold.
//
//   few          20 holds of 2 ms
//   brief        100,000 holds of about half a microsecond
//   patterned    20,000 holds; every 64th takes 20 us, the others next to nothing: a sample that counts along is fooled
//   over_wait    10 times 1 ms, 10 ms in a wait for a condition (not held), and 1 ms again
//   recursive    5 times taken 3 times over: the outermost acquisition counts as the hold
//   tried        10 holds of 100 us by trylock
//   timed        10 holds of 100 us by timedlock
//   crossed_a, crossed_b    released in the order in which they were taken
//   hand[3]      a walk along a list, each lock taken before the one before is released
//   deep[70]     70 held at once, which is more than most recorders keep
#include "measure.h"
#include <pthread.h>

#define HOLD(bounds, lock, body, unlock)         \
    do {                                         \
        long long before_ = now_ns();            \
        lock;                                    \
        long long held_ = now_ns();              \
        body;                                    \
        long long leaving_ = now_ns();           \
        unlock;                                  \
        long long outer_ = now_ns() - before_;   \
        (bounds)->outer_ns += outer_;            \
        (bounds)->inner_ns += leaving_ - held_;  \
        (bounds)->count++;                       \
        if (outer_ > (bounds)->longest_ns)       \
            (bounds)->longest_ns = outer_;       \
    } while (0)

static pthread_mutex_t few = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t brief = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t patterned = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t over_wait = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t tried = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t timed = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t crossed_a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t crossed_b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t hand[3];
static pthread_mutex_t deep[70];
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void hold_few(void) {
    struct bounds bounds = {0};
    for (int i = 0; i < 20; i++)
        HOLD(&bounds, pthread_mutex_lock(&few), spin_ns(2000000), pthread_mutex_unlock(&few));
    answer_bounds("few", bounds);
}

static void hold_briefly(void) {
    struct bounds bounds = {0};
    for (int i = 0; i < 100000; i++)
        HOLD(&bounds, pthread_mutex_lock(&brief), spin_ns(400), pthread_mutex_unlock(&brief));
    answer_bounds("brief", bounds);
}

static void hold_in_a_pattern(void) {
    struct bounds bounds = {0};
    for (int i = 0; i < 20000; i++)
        HOLD(&bounds, pthread_mutex_lock(&patterned), if (i % 64 == 0) spin_ns(20000), pthread_mutex_unlock(&patterned));
    answer_bounds("patterned", bounds);
}

static void hold_over_a_wait(void) {
    struct bounds bounds = {0};
    for (int i = 0; i < 10; i++) {
        struct timespec deadline;
        long long before = now_ns();
        pthread_mutex_lock(&over_wait);
        long long held = now_ns();
        spin_ns(1000000);
        clock_gettime(CLOCK_REALTIME, &deadline);
        deadline.tv_nsec += 10000000;
        if (deadline.tv_nsec >= 1000000000) {
            deadline.tv_nsec -= 1000000000;
            deadline.tv_sec++;
        }
        long long waiting = now_ns();
        bounds.inner_ns += waiting - held;
        pthread_cond_timedwait(&never, &over_wait, &deadline);
        held = now_ns();
        spin_ns(1000000);
        bounds.inner_ns += now_ns() - held;
        pthread_mutex_unlock(&over_wait);
        // Not held from the call to the deadline: 10 ms, less what went by between reading the clock and calling, which
        // may be much if another process got the processor just there.
        bounds.outer_ns += now_ns() - before - 5000000;
        bounds.count += 2;
    }
    answer_bounds("over_wait", bounds);
}

static void hold_again_and_again(void) {
    struct bounds bounds = {0};
    for (int i = 0; i < 5; i++)
        HOLD(&bounds, pthread_mutex_lock(&recursive), {
            pthread_mutex_lock(&recursive);
            pthread_mutex_lock(&recursive);
            spin_ns(300000);
            pthread_mutex_unlock(&recursive);
            spin_ns(300000);
            pthread_mutex_unlock(&recursive);
            spin_ns(300000);
        }, pthread_mutex_unlock(&recursive));
    answer_bounds("recursive", bounds);
}

static void hold_by_other_functions(void) {
    struct bounds of_tried = {0}, of_timed = {0};
    struct timespec past = {1, 0};
    for (int i = 0; i < 10; i++) {
        HOLD(&of_tried, pthread_mutex_trylock(&tried), spin_ns(100000), pthread_mutex_unlock(&tried));
        HOLD(&of_timed, pthread_mutex_timedlock(&timed, &past), spin_ns(100000), pthread_mutex_unlock(&timed));
    }
    answer_bounds("tried", of_tried);
    answer_bounds("timed", of_timed);
}

static void hold_crossed(void) {
    struct bounds a = {0}, b = {0};
    for (int i = 0; i < 10; i++) {
        long long t0 = now_ns();
        pthread_mutex_lock(&crossed_a);
        long long t1 = now_ns();
        spin_ns(200000);
        long long t2 = now_ns();
        pthread_mutex_lock(&crossed_b);
        long long t3 = now_ns();
        spin_ns(200000);
        long long t4 = now_ns();
        pthread_mutex_unlock(&crossed_a);
        long long t5 = now_ns();
        spin_ns(400000);
        long long t6 = now_ns();
        pthread_mutex_unlock(&crossed_b);
        long long t7 = now_ns();
        a = (struct bounds){a.inner_ns + t4 - t1, a.outer_ns + t5 - t0, a.count + 1, 0};
        b = (struct bounds){b.inner_ns + t6 - t3, b.outer_ns + t7 - t2, b.count + 1, 0};
    }
    answer_bounds("crossed_a", a);
    answer_bounds("crossed_b", b);
}

// `locks` taken one after the other; at most `at_once` of them held.
static void walk(const char *name, pthread_mutex_t *locks, int count, int at_once, long long each_ns) {
    struct bounds bounds = {0};
    long long before[70], held[70];
    for (int i = 0; i < count + at_once; i++) {
        if (i >= at_once) {
            int leave = i - at_once;
            long long leaving = now_ns();
            pthread_mutex_unlock(&locks[leave]);
            bounds.outer_ns += now_ns() - before[leave];
            bounds.inner_ns += leaving - held[leave];
            bounds.count++;
        }
        if (i < count) {
            before[i] = now_ns();
            pthread_mutex_lock(&locks[i]);
            held[i] = now_ns();
        }
        spin_ns(each_ns);
    }
    answer_bounds(name, bounds);
}

int main(void) {
    for (int i = 0; i < 3; i++) pthread_mutex_init(&hand[i], NULL);
    for (int i = 0; i < 70; i++) pthread_mutex_init(&deep[i], NULL);
    hold_few();
    hold_briefly();
    hold_in_a_pattern();
    hold_over_a_wait();
    hold_again_and_again();
    hold_by_other_functions();
    hold_crossed();
    walk("hand", hand, 3, 2, 1000000);
    walk("deep", deep, 70, 70, 20000);
    return 0;
}

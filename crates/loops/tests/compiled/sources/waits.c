// Loops that wait for another thread. Each function has one loop, or loops inside each other that wait together, and nothing else
// that repeats. `wait_NAME` waits for the global `word_NAME` if there is one, and otherwise for its argument.
#include "machine.h"

volatile int word_plain;
void wait_plain(void) {
    while (!word_plain) {
    }
}

volatile int word_pause;
void wait_pause(void) {
    while (!word_pause)
        relax();
}

void wait_pointer(volatile long *word) {
    while (*word == 0)
        relax();
}

void wait_equal(volatile unsigned *word, unsigned wanted) {
    while (*word != wanted) {
    }
}

atomic_int word_acquire;
void wait_acquire(void) {
    while (atomic_load_explicit(&word_acquire, memory_order_acquire) != 1)
        relax();
}

atomic_bool word_bool;
void wait_bool(void) {
    while (!atomic_load(&word_bool)) {
    }
}

atomic_int word_exchange;
void wait_exchange(void) {
    while (atomic_exchange(&word_exchange, 1)) {
    }
}

void wait_test_and_set(atomic_flag *lock) {
    while (atomic_flag_test_and_set_explicit(lock, memory_order_acquire))
        relax();
}

void wait_ttas(atomic_int *lock) {
    for (;;) {
        if (!atomic_exchange_explicit(lock, 1, memory_order_acquire))
            return;
        while (atomic_load_explicit(lock, memory_order_relaxed))
            relax();
    }
}

void wait_compare_exchange(atomic_int *lock) {
    int expected = 0;
    while (!atomic_compare_exchange_weak(lock, &expected, 1)) {
        expected = 0;
        relax();
    }
}

void wait_read_then_compare_exchange(atomic_uint *lock) {
    for (;;) {
        unsigned now = atomic_load_explicit(lock, memory_order_relaxed);
        if (!(now & 1) && atomic_compare_exchange_weak(lock, &now, now | 1))
            return;
        relax();
    }
}

struct ticket {
    atomic_uint next, serving;
};
void wait_ticket(struct ticket *lock) {
    unsigned mine = atomic_fetch_add(&lock->next, 1);
    while (atomic_load_explicit(&lock->serving, memory_order_acquire) != mine)
        relax();
}

void wait_proportional(struct ticket *lock, unsigned mine) {
    for (;;) {
        unsigned before = mine - atomic_load_explicit(&lock->serving, memory_order_acquire);
        if (before == 0)
            return;
        for (unsigned i = 0; i < before * 32; i++)
            relax();
    }
}

struct node {
    struct node *_Atomic next;
    atomic_int locked;
};
void wait_mcs(struct node *_Atomic *tail, struct node *me) {
    struct node *before = atomic_exchange(tail, me);
    if (before) {
        atomic_store(&before->next, me);
        while (atomic_load_explicit(&me->locked, memory_order_acquire))
            relax();
    }
}

struct node *wait_successor(struct node *me) {
    struct node *next;
    while (!(next = atomic_load_explicit(&me->next, memory_order_acquire)))
        relax();
    return next;
}

void wait_clh(struct node *volatile *before) {
    while (atomic_load_explicit(&(*before)->locked, memory_order_acquire))
        relax();
}

volatile int word_back_off;
void wait_back_off(void) {
    for (unsigned n = 1; !word_back_off; n *= 2)
        for (unsigned i = 0; i < n; i++)
            relax();
}

atomic_int word_bounded_back_off;
void wait_bounded_back_off(void) {
    unsigned n = 4;
    while (atomic_exchange(&word_bounded_back_off, 1)) {
        for (volatile unsigned i = 0; i < n; i++) {
        }
        n = n < 1024 ? n * 2 : 1024;
    }
}

volatile int word_random_back_off;
void wait_random_back_off(unsigned seed) {
    while (!word_random_back_off) {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        for (unsigned i = 0; i < (seed & 63); i++)
            relax();
    }
}

int wait_counted(volatile int *word) {
    for (int i = 0; i < 1000000; i++)
        if (*word)
            return 1;
    return 0;
}

int wait_counted_pause(volatile int *word, int most) {
    for (int i = 0; i < most; i++) {
        if (*word != 3)
            return i;
        relax();
    }
    return -1;
}

volatile int word_yield;
void wait_yield(void) {
    while (!word_yield)
        sched_yield();
}

volatile int word_count_then_yield;
void wait_count_then_yield(void) {
    int rounds = 0;
    while (!word_count_then_yield) {
        if (++rounds < 100)
            relax();
        else
            sched_yield();
    }
}

volatile int word_clock;
int wait_clock(unsigned long long limit) {
    unsigned long long start = cycles();
    while (!word_clock)
        if (cycles() - start > limit)
            return 0;
    return 1;
}

int wait_deadline(volatile int *word, long end) {
    while (!*word) {
        struct timespec now;
        clock_gettime(1, &now);
        if (now.tv_sec >= end)
            return 0;
    }
    return 1;
}

int wait_either(volatile int *word, volatile int *stop) {
    while (!*word && !*stop)
        relax();
    return *word;
}

void wait_queue(volatile unsigned *head, volatile unsigned *tail) {
    while (*head == *tail)
        relax();
}

struct inner {
    long padding[4];
    volatile int ready;
};
struct outer {
    long padding[2];
    struct inner *inner;
};
void wait_nested(struct outer *volatile *outer) {
    while (!(*outer)->inner->ready)
        relax();
}

struct threads {
    struct {
        volatile int queue;
        char padding[60];
    } at[16];
};
void wait_indexed(struct threads *threads, int index) {
    while (threads->at[index].queue)
        relax();
}

// An event count: the reader waits for a change.
void wait_change(volatile unsigned *count) {
    unsigned before = *count;
    while (*count == before)
        relax();
}

unsigned wait_sequence(atomic_uint *sequence) {
    unsigned now;
    while ((now = atomic_load_explicit(sequence, memory_order_acquire)) & 1)
        relax();
    return now;
}

// Like the threads of redis: the sum of what all others have left to do.
volatile unsigned long pending[8 * 8];
void wait_all(int threads) {
    for (;;) {
        unsigned long left = 0;
        for (int i = 1; i < threads; i++)
            left += pending[i * 8];
        if (left == 0)
            return;
    }
}

NEVER_INLINE int loaded(volatile int *word) {
    return *word;
}
void wait_called_load(volatile int *word) {
    while (!loaded(word))
        relax();
}

NEVER_INLINE void short_delay(void) {
    for (int i = 0; i < 30; i++)
        relax();
}
volatile int word_called_delay;
void wait_called_delay(void) {
    while (!word_called_delay)
        short_delay();
}

struct delay {
    int spins, most;
    long slept;
};
volatile long totals[4];
NEVER_INLINE void perform_delay(struct delay *delay) {
    relax();
    if (++delay->spins >= delay->most) {
        totals[0]++;
        delay->slept += 1000;
        delay->spins = 0;
    }
}
// Like PostgreSQL's s_lock.
void wait_s_lock(atomic_char *lock) {
    struct delay delay = {0, 100, 0};
    escape(&delay);
    while (atomic_exchange_explicit(lock, 1, memory_order_acquire))
        perform_delay(&delay);
}

// Like libgomp's do_spin: a bounded number of rounds, then the caller sleeps.
int wait_gomp(int *address, int value, unsigned long long count) {
    for (unsigned long long i = 0; i < count; i++)
        if (__atomic_load_n(address, __ATOMIC_RELAXED) != value)
            return 0;
        else
            relax();
    return 1;
}

// Like the adaptive mutex of glibc: the lock is read, then tried; after many rounds it is waited for.
int wait_adaptive(atomic_int *lock, int most) {
    int count = 0;
    do {
        if (count++ >= most)
            return sleep_on(lock);
        relax();
    } while (atomic_load_explicit(lock, memory_order_relaxed) != 0 || !try_lock(lock));
    return 0;
}

// Like parking_lot: the word is tried if it is free, and the thread parks after some rounds.
int wait_parking(atomic_uchar *state) {
    unsigned rounds = 0;
    unsigned char now = atomic_load_explicit(state, memory_order_relaxed);
    for (;;) {
        if (!(now & 1)) {
            if (atomic_compare_exchange_weak(state, &now, now | 1))
                return 0;
            continue;
        }
        if (!(now & 2) && rounds < 10) {
            rounds++;
            if (rounds <= 3)
                for (unsigned i = 0; i < 1u << rounds; i++)
                    relax();
            else
                sched_yield();
            now = atomic_load_explicit(state, memory_order_relaxed);
            continue;
        }
        return sleep_on((atomic_int *)state);
    }
}

// A barrier that flips its sense.
atomic_int arrived;
atomic_int word_sense;
void wait_sense(int mine, int threads) {
    if (atomic_fetch_add(&arrived, 1) == threads - 1) {
        atomic_store(&arrived, 0);
        atomic_store(&word_sense, mine);
        return;
    }
    while (atomic_load_explicit(&word_sense, memory_order_acquire) != mine)
        relax();
}

// The flag is in the frame of the function that waits.
void wait_own_frame(void) {
    volatile int done = 0;
    start((void *)&done);
    while (!done)
        relax();
}

/* The outer loop begins where the inner one does, and ends by another word. */
volatile long word_turns;
volatile int end_of_turns;
void turns(void) {
    long last = 0;
    while (!end_of_turns) {
        while (word_turns == last)
            relax();
        last = word_turns;
    }
}

// Threads contend for a lock whose functions spin: the first argument is "spin" (pthread_spin_lock) or "adaptive" (a mutex that spins
// before it sleeps). `record` knows these locks, so the time is part of their waits, and must not be reported a second time.
//
// glibc lets an adaptive mutex spin for some microseconds. A large `glibc.pthread.mutex_spin_count` (GLIBC_TUNABLES) makes that about as
// long as the mutex is held. The program ends when its threads have spent enough CPU time in the lock functions.
#include "measure.h"
#include <stdatomic.h>
#include <stdlib.h>

enum { HELD_ROUNDS = 1000000, ENOUGH_NS = 200000000 };

pthread_spinlock_t spin_word;
pthread_mutex_t adaptive_mutex;
static int is_spin;
static atomic_llong spun_ns;

// Work that reads no clock, since a loop that waits for a time is a wait.
static void hold(int rounds) {
    volatile unsigned sum = 1;
    for (int i = 0; i < rounds; i++)
        sum = sum * 3 + i;
}

static void *work(void *seed) {
    // Lengths vary between half and one and a half: samples are taken at fixed intervals, which a program with a fixed rhythm could meet
    // again and again while it spins.
    unsigned random = 1 + (unsigned)(size_t)seed;
    while (atomic_load(&spun_ns) < ENOUGH_NS) {
        long long begin = clock_ns(CLOCK_THREAD_CPUTIME_ID);
        if (is_spin)
            pthread_spin_lock(&spin_word);
        else
            pthread_mutex_lock(&adaptive_mutex);
        atomic_fetch_add(&spun_ns, clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin);
        random = random * 1103515245 + 12345;
        unsigned share = 50 + (random >> 16) % 101;
        hold(HELD_ROUNDS / 100 * share);
        if (is_spin)
            pthread_spin_unlock(&spin_word);
        else
            pthread_mutex_unlock(&adaptive_mutex);
        // A moment without the lock, so that the other thread gets it.
        sleep_ns((is_spin ? 10000 : 100) * (long long)share);
    }
    return NULL;
}

int main(int count, char **arguments) {
    is_spin = count > 1 && strcmp(arguments[1], "spin") == 0;
    pthread_mutexattr_t adaptive;
    pthread_mutexattr_init(&adaptive);
    pthread_mutexattr_settype(&adaptive, PTHREAD_MUTEX_ADAPTIVE_NP);
    pthread_mutex_init(&adaptive_mutex, &adaptive);
    pthread_spin_init(&spin_word, PTHREAD_PROCESS_PRIVATE);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, work, (void *)(size_t)i))
            abort();
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

// mutex_interrupted THREADS: threads count under mutexes that they hold for a few instructions, or for longer, while every 50 us
// a signal interrupts one of them wherever it is: in an acquisition, in a release, asleep. Its handler takes and releases a
// mutex that handlers alone use. No count may be lost, and nobody may sleep for ever. Succeeds if so.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

enum { ROUNDS = 16000, MUTEXES = 2 };

static pthread_mutex_t mutexes[MUTEXES] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t handlers = PTHREAD_MUTEX_INITIALIZER;
// Not atomic: the mutexes are to guard them.
static volatile long counts[MUTEXES], handled;
static long rounds, delivered;

static void interrupt(int number) {
    (void)number;
    pthread_mutex_lock(&handlers);
    handled++;
    pthread_mutex_unlock(&handlers);
    __atomic_fetch_add(&delivered, 1, __ATOMIC_RELAXED);
}

static void *work(void *number) {
    // The first use of what handlers take is not in a handler.
    pthread_mutex_lock(&handlers);
    pthread_mutex_unlock(&handlers);
    sigset_t alarm_only;
    sigemptyset(&alarm_only);
    sigaddset(&alarm_only, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &alarm_only, NULL);
    for (long round = 0; round < rounds; round++) {
        int which = (round + (long)number) % MUTEXES;
        pthread_mutex_lock(&mutexes[which]);
        counts[which]++;
        // Now and then the holder loses its processor, and others come to sleep.
        if (round % 64 == 0) sched_yield();
        pthread_mutex_unlock(&mutexes[which]);
    }
    pthread_sigmask(SIG_BLOCK, &alarm_only, NULL);
    return NULL;
}

int main(int argc, char **argv) {
    long threads = argc > 1 ? atol(argv[1]) : 8, sum = 0;
    pthread_t ids[256];
    if (threads < 1 || threads > 256) return 2;
    rounds = ROUNDS / threads;
    sigset_t alarm_only;
    sigemptyset(&alarm_only);
    sigaddset(&alarm_only, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarm_only, NULL);
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    struct itimerval often = {{0, 50}, {0, 50}}, never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &often, NULL);
    for (long i = 0; i < threads; i++) pthread_create(&ids[i], NULL, work, (void *)i);
    for (long i = 0; i < threads; i++) pthread_join(ids[i], NULL);
    setitimer(ITIMER_REAL, &never, NULL);
    for (int i = 0; i < MUTEXES; i++) sum += counts[i];
    if (sum != threads * rounds) printf("%ld instead of %ld\n", sum, threads * rounds);
    if (handled != delivered) printf("%ld handled instead of %ld\n", handled, delivered);
    return sum != threads * rounds || handled != delivered || handled == 0;
}

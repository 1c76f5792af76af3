/* What a pthread mutex costs in a plain C loop: the figure that `locktoll bench --lock pthread
 * --threads 1` has to agree with.
 *
 *     pthread_pair ROUNDS [PAIRS]
 *
 * Each round times PAIRS (default 500000) uncontended lock+unlock pairs of one default mutex and as many
 * turns of the same loop without the lock, and prints the difference in nanoseconds a pair, one
 * number a line. A second thread stays alive and asleep throughout: glibc leaves out the atomic
 * instructions while a process has only one thread.
 *
 * Exit status: 0, or 2 for wrong arguments, or 1 when no thread could be made. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* On cache lines of its own. */
static _Alignas(128) pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *sleep_for_ever(void *unused) {
    (void)unused;
    for (;;)
        pause();
    return NULL;
}

static double now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

/* Neither loop may be folded: the empty assembly claims to read and write all memory. */
#define KEEP() __asm__ volatile("" ::: "memory")

static double empty_loop_ns(long turns) {
    double start = now_ns();
    for (long turn = 0; turn < turns; turn++)
        KEEP();
    return now_ns() - start;
}

static double locked_loop_ns(long turns) {
    double start = now_ns();
    for (long turn = 0; turn < turns; turn++) {
        pthread_mutex_lock(&mutex);
        KEEP();
        pthread_mutex_unlock(&mutex);
    }
    return now_ns() - start;
}

static long positive(const char *text) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    return errno == 0 && end != text && *end == '\0' && value > 0 ? value : 0;
}

int main(int argc, char **argv) {
    long rounds = argc >= 2 ? positive(argv[1]) : 0;
    long pairs = argc >= 3 ? positive(argv[2]) : 500000;
    if (argc > 3 || rounds == 0 || pairs == 0) {
        fprintf(stderr, "usage: pthread_pair ROUNDS [PAIRS]\n");
        return 2;
    }
    pthread_t other;
    if (pthread_create(&other, NULL, sleep_for_ever, NULL) != 0) {
        fprintf(stderr, "pthread_pair: cannot make a second thread\n");
        return 1;
    }
    /* Brings the processor to its working clock rate and the code into the caches. */
    locked_loop_ns(pairs);
    for (long round = 0; round < rounds; round++) {
        double empty = empty_loop_ns(pairs);
        double locked = locked_loop_ns(pairs);
        printf("%.3f\n", (locked - empty) / pairs);
        /* Seen by a reader who takes turns with this program. */
        fflush(stdout);
    }
    return 0;
}

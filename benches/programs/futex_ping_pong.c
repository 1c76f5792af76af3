/* What a hand-over costs in a plain C program: the figure that `locktoll machine` has to agree with.
 *
 *     futex_ping_pong CPU CPU [ROUNDS]
 *
 * Two threads, one on each CPU (both on one, if the two are the same), put each other to sleep and wake each other
 * through two futex words, ROUNDS times there and back (default 20000). Printed are the nanoseconds of one hand-over,
 * half a round, and the context switches that the kernel counted in it. Threads inherit the scheduling policy that the
 * program was started under: `chrt -f 1 futex_ping_pong 0 0`.
 *
 * Exit status: 0, or 2 for wrong arguments, or 1 when a thread cannot be made or pinned. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Set to 1 by who hands over, taken back to 0 by who goes on. Each on cache lines of its own. */
static struct {
    _Alignas(128) atomic_uint word;
} turn[2];

static long rounds = 20000;
static int cpu_of[2];
static pthread_barrier_t all_here;

static void fail(const char *what, int error) {
    fprintf(stderr, "futex_ping_pong: %s: %s\n", what, strerror(error));
    exit(1);
}

static void wake(int side) {
    atomic_store(&turn[side].word, 1);
    syscall(SYS_futex, &turn[side].word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void await(int side) {
    while (atomic_exchange(&turn[side].word, 0) == 0)
        syscall(SYS_futex, &turn[side].word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
}

static void play(int side, long times) {
    for (long round = 0; round < times; round++) {
        if (side == 0) {
            wake(1);
            await(0);
        } else {
            await(1);
            wake(0);
        }
    }
}

/* Context switches of the calling thread so far. */
static long switches(void) {
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw + usage.ru_nivcsw;
}

static double now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

/* What each side saw of the rounds that count. */
static double elapsed_ns[2];
static long switched[2];

static void *take_part(void *which) {
    int side = *(int *)which;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu_of[side], &set);
    int error = pthread_setaffinity_np(pthread_self(), sizeof set, &set);
    if (error != 0)
        fail("cannot run on that CPU", error);
    pthread_barrier_wait(&all_here);
    play(side, rounds / 10 + 1);
    long before = switches();
    double start = now_ns();
    play(side, rounds);
    elapsed_ns[side] = now_ns() - start;
    switched[side] = switches() - before;
    return NULL;
}

static long number(const char *text, long least, long most) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    return errno == 0 && end != text && *end == '\0' && value >= least && value <= most ? value : -1;
}

int main(int argc, char **argv) {
    if (argc >= 3) {
        cpu_of[0] = number(argv[1], 0, CPU_SETSIZE - 1);
        cpu_of[1] = number(argv[2], 0, CPU_SETSIZE - 1);
    }
    if (argc == 4)
        rounds = number(argv[3], 1, INT_MAX);
    if (argc < 3 || argc > 4 || cpu_of[0] < 0 || cpu_of[1] < 0 || rounds < 0) {
        fprintf(stderr, "usage: futex_ping_pong CPU CPU [ROUNDS]\n");
        return 2;
    }
    pthread_barrier_init(&all_here, NULL, 2);
    pthread_t threads[2];
    static int sides[2] = {0, 1};
    for (int side = 0; side < 2; side++) {
        int error = pthread_create(&threads[side], NULL, take_part, &sides[side]);
        if (error != 0)
            fail("cannot make a thread", error);
    }
    for (int side = 0; side < 2; side++)
        pthread_join(threads[side], NULL);
    /* Side 0 begins and ends each round, so its clock covers all of them. */
    printf("%.3f %.4f\n", elapsed_ns[0] / (2 * rounds), (switched[0] + switched[1]) / (2.0 * rounds));
    return 0;
}

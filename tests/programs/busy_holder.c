/* The main thread holds a mutex for HOLD milliseconds, TIMES times, and computes in each hold; another thread waits for it. The exit
   code is 7. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t ledger = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t held;
static int hold_ms, times;
static volatile unsigned long sum;

static long long now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static __attribute__((noinline)) void compute(long long until_ns)
{
    while (now_ns() < until_ns)
        for (int turn = 0; turn < 10000; turn++)
            sum += turn;
}

static __attribute__((noinline)) void close_ledger(void)
{
    pthread_mutex_lock(&ledger);
    pthread_barrier_wait(&held);
    compute(now_ns() + hold_ms * 1000000LL);
    pthread_mutex_unlock(&ledger);
    pthread_barrier_wait(&held);
}

static void *read_ledger(void *unused)
{
    for (int turn = 0; turn < times; turn++) {
        pthread_barrier_wait(&held);
        pthread_mutex_lock(&ledger);
        pthread_mutex_unlock(&ledger);
        pthread_barrier_wait(&held);
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t reader;
    hold_ms = argc > 1 ? atoi(argv[1]) : 400;
    times = argc > 2 ? atoi(argv[2]) : 3;
    pthread_barrier_init(&held, NULL, 2);
    pthread_create(&reader, NULL, read_ledger, NULL);
    for (int turn = 0; turn < times; turn++)
        close_ledger();
    pthread_join(reader, NULL);
    return 7;
}

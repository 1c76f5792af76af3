/* A thread holds a mutex for HOLD milliseconds, TIMES times, with PAUSE milliseconds in between; another thread acquires it in each
   hold, and so waits. With RATE as a fourth argument, two more threads acquire mutexes of their own all the time. If RWLOCK is defined,
   the lock is a reader-writer lock, acquired by writers.
   Prints when each hold began: CLOCK_MONOTONIC, nanoseconds. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#ifdef RWLOCK
static pthread_rwlock_t journal = PTHREAD_RWLOCK_INITIALIZER;
#define ACQUIRE pthread_rwlock_wrlock
#define RELEASE pthread_rwlock_unlock
#else
static pthread_mutex_t journal = PTHREAD_MUTEX_INITIALIZER;
#define ACQUIRE pthread_mutex_lock
#define RELEASE pthread_mutex_unlock
#endif
static pthread_barrier_t held;
static int hold_ms, pause_ms, times;
static volatile int is_over, appended;

static long long now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void sleep_ms(int ms)
{
    struct timespec time = { ms / 1000, ms % 1000 * 1000000L };
    nanosleep(&time, NULL);
}

static void *flush_journal(void *unused)
{
    for (int turn = 0; turn < times; turn++) {
        ACQUIRE(&journal);
        printf("%lld\n", now_ns());
        pthread_barrier_wait(&held);
        sleep_ms(hold_ms);
        RELEASE(&journal);
        sleep_ms(pause_ms);
        // The other thread may have had no CPU for longer than that. If the lock were held again before it gets there, it would wait
        // for the lock, and this thread for it.
        while (appended <= turn)
            sleep_ms(1);
    }
    return unused;
}

static void *append_to_journal(void *unused)
{
    for (int turn = 0; turn < times; turn++) {
        pthread_barrier_wait(&held);
        ACQUIRE(&journal);
        RELEASE(&journal);
        appended = turn + 1;
    }
    return unused;
}

static void *spin_on_own(void *unused)
{
    pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
    while (!is_over) {
        pthread_mutex_lock(&own);
        pthread_mutex_unlock(&own);
    }
    return unused;
}

int main(int count, char **words)
{
    hold_ms = count > 1 ? atoi(words[1]) : 200;
    pause_ms = count > 2 ? atoi(words[2]) : 100;
    times = count > 3 ? atoi(words[3]) : 3;
    pthread_t threads[4];
    pthread_barrier_init(&held, NULL, 2);
    pthread_create(&threads[0], NULL, flush_journal, NULL);
    pthread_create(&threads[1], NULL, append_to_journal, NULL);
    int busy = count > 4 ? 2 : 0;
    for (int thread = 0; thread < busy; thread++)
        pthread_create(&threads[2 + thread], NULL, spin_on_own, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    is_over = 1;
    for (int thread = 0; thread < busy; thread++)
        pthread_join(threads[2 + thread], NULL);
    return 0;
}

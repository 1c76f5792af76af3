/* The cost of a lock and unlock in this program when no other thread wants the lock and a second thread exists: locktoll's and pthread's in
 * turn, in nanoseconds, the median of 5001 short batches. The empty loop around them is subtracted.
 *
 *     cc -O2 price.c $(pkg-config --cflags --libs locktoll) -o price && ./price
 */
#define _GNU_SOURCE
#include <locktoll.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { BATCHES = 5001, PAIRS = 2000 };

static locktoll_mutex ours = LOCKTOLL_MUTEX_INIT;
static pthread_mutex_t theirs = PTHREAD_MUTEX_INITIALIZER;
static volatile long count;

static double now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

#define BATCH(name, before, after)              \
    static double name(void)                    \
    {                                           \
        double begin = now_ns();                \
        for (int i = 0; i < PAIRS; i++) {       \
            before;                             \
            count++;                            \
            after;                              \
        }                                       \
        return (now_ns() - begin) / PAIRS;      \
    }

BATCH(empty, (void)0, (void)0)
BATCH(with_locktoll, locktoll_mutex_lock(&ours), locktoll_mutex_unlock(&ours))
BATCH(with_pthread, pthread_mutex_lock(&theirs), pthread_mutex_unlock(&theirs))

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values)
{
    qsort(values, BATCHES, sizeof *values, compare);
    return values[BATCHES / 2];
}

static void *sleep_for_ever(void *unused)
{
    for (;;)
        pause();
    return unused;
}

int main(void)
{
    static double nothing[BATCHES], ours_ns[BATCHES], theirs_ns[BATCHES];
    pthread_t second;
    if (pthread_create(&second, NULL, sleep_for_ever, NULL) != 0)
        return 1;
    locktoll_prepare();
    for (int i = 0; i < BATCHES; i++) {
        nothing[i] = empty();
        ours_ns[i] = with_locktoll();
        theirs_ns[i] = with_pthread();
    }
    double loop = median(nothing);
    printf("locktoll %.1f ns, pthread %.1f ns\n", median(ours_ns) - loop, median(theirs_ns) - loop);
    return 0;
}

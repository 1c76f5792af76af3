/* Two locks that are waited for all the time, in different ways, until standard input ends.
 *
 * `slow_lock` is held for 20 ms at a time by two threads in turn: one of them waits nearly always, seldom and long.
 * `quick_lock` is held for 1 ms at a time by four threads in turn: three of them wait nearly always, often and shorter.
 * So there is more waiting for `quick_lock`, and more waits; a wait for `slow_lock` is longer. However busy the machine, since who holds
 * sleeps: the order of the two stays.
 *
 * Each thread gives way before it comes back, so that whoever waits has its turn. Prints "ready PID" once all threads run. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t slow_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t quick_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t begin;

static void sleep_us(long us)
{
    struct timespec time = {us / 1000000, us % 1000000 * 1000};
    nanosleep(&time, NULL);
}

static void *slow_worker(void *unused)
{
    pthread_barrier_wait(&begin);
    for (;;) {
        pthread_mutex_lock(&slow_lock);
        sleep_us(20000);
        pthread_mutex_unlock(&slow_lock);
        sleep_us(500);
    }
    return unused;
}

static void *quick_worker(void *unused)
{
    pthread_barrier_wait(&begin);
    for (;;) {
        pthread_mutex_lock(&quick_lock);
        sleep_us(1000);
        pthread_mutex_unlock(&quick_lock);
        sleep_us(100);
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_barrier_init(&begin, NULL, 7);
    for (int i = 0; i < 6; i++)
        if (pthread_create(&thread, NULL, i < 2 ? slow_worker : quick_worker, NULL) != 0)
            return 1;
    pthread_barrier_wait(&begin);
    printf("ready %d\n", (int)getpid());
    fflush(stdout);
    while (getchar() != EOF)
        ;
    return 0;
}

/* THREADS threads that never sleep note each time that they were stopped: a context switch that the kernel counts as voluntary is
   then a stop by a tracer. SLEEPING more threads sleep. At the end of its input, the program prints a line for each stop: its length
   in nanoseconds, from the last moment before it to the first one after it, and how much of that the thread could have run but
   waited for a CPU (/proc/PID/schedstat). */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 1 << 16 };

static volatile int is_over;
static pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER;
static long long stops[MOST], waits[MOST];
static int count;

static long long now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void note(long long stop, long long wait)
{
    pthread_mutex_lock(&all);
    if (count < MOST) {
        stops[count] = stop;
        waits[count++] = wait;
    }
    pthread_mutex_unlock(&all);
}

/* Returns for how long the calling thread has waited for a CPU since it began, or -1. */
static long long waited_ns(int schedstat)
{
    char text[128] = "";
    long long waited = -1;
    if (pread(schedstat, text, sizeof text - 1, 0) > 0)
        sscanf(text, "%*d %lld", &waited);
    return waited;
}

static void *run(void *unused)
{
    struct rusage before, after;
    int schedstat = open("/proc/thread-self/schedstat", O_RDONLY);
    long long waited = waited_ns(schedstat);
    getrusage(RUSAGE_THREAD, &before);
    long long last = now_ns();
    while (!is_over) {
        long long now = now_ns();
        getrusage(RUSAGE_THREAD, &after);
        int is_stop = after.ru_nvcsw != before.ru_nvcsw, is_preemption = after.ru_nivcsw != before.ru_nivcsw;
        if (is_stop || is_preemption) {
            long long stop = now_ns() - last, waits_now = waited_ns(schedstat);
            // A thread that was preempted at the same time says nothing about the stop.
            if (is_stop && !is_preemption)
                note(stop, waited < 0 || waits_now < 0 ? -1 : waits_now - waited);
            waited = waits_now;
            getrusage(RUSAGE_THREAD, &before);
            now = now_ns();
        }
        last = now;
    }
    close(schedstat);
    return unused;
}

static void *sleep_on(void *unused)
{
    pause();
    return unused;
}

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 2, sleeping = argc > 2 ? atoi(argv[2]) : 0;
    pthread_t ids[64], other;
    char byte;
    if (threads < 1 || threads > 64)
        return 2;
    for (int i = 0; i < sleeping; i++)
        pthread_create(&other, NULL, sleep_on, NULL);
    for (int i = 0; i < threads; i++)
        pthread_create(&ids[i], NULL, run, NULL);
    printf("ready\n");
    fflush(stdout);
    while (read(0, &byte, 1) > 0)
        ;
    is_over = 1;
    for (int i = 0; i < threads; i++)
        pthread_join(ids[i], NULL);
    for (int i = 0; i < count; i++)
        printf("%lld %lld\n", stops[i], waits[i]);
    return 0;
}

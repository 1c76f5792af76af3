// real_time WAY: a thread with a real-time policy (sched(7)) and an ordinary one contend for a mutex on one CPU. The ordinary one
// holds the mutex for longer than the other sleeps, so the other meets it held. On a lock whose waiters spin or yield until it is
// free, the ordinary thread then runs only when the kernel throttles real-time threads, after about a second each time. Prints the
// number of acquisitions. WAY says how the thread gets its policy:
//   thread    pthread_setschedparam(3)
//   process   sched_setscheduler(2), on the thread itself
//   created   pthread_attr_setschedpolicy(3), before it is created
//   call      sched_setattr(2), by syscall(2)
//   inherited sched_setscheduler(2), before this program is executed again
//   none      it gets none
// Exits with code 77 if this user may not do that.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 200, HELD_NS = 100000, PAUSE_US = 50, NOT_PERMITTED = 77 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long count;
static const char *way;
static const struct sched_param priority = {.sched_priority = 10};

static int is(const char *name) { return strcmp(way, name) == 0; }

static void need(int done) {
    if (!done) exit(NOT_PERMITTED);
}

static long now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

static void *work(void *real_time) {
    if (real_time && is("thread")) need(!pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority));
    if (real_time && is("process")) need(!sched_setscheduler(0, SCHED_FIFO, &priority));
    if (real_time && is("call")) {
        struct {
            uint32_t size, policy;
            uint64_t flags;
            int32_t nice;
            uint32_t priority;
            uint64_t runtime, deadline, period;
        } attributes = {.size = sizeof attributes, .policy = SCHED_RR, .priority = 10};
        need(!syscall(SYS_sched_setattr, 0, &attributes, 0));
    }
    for (long round = 0; round < ROUNDS; round++) {
        pthread_mutex_lock(&mutex);
        count++;
        for (long since = now_ns(); !real_time && now_ns() < since + HELD_NS;) {}
        pthread_mutex_unlock(&mutex);
        if (real_time) usleep(PAUSE_US);
    }
    return NULL;
}

int main(int words, char **arguments) {
    way = words > 1 ? arguments[1] : "thread";
    if (is("inherited")) {
        need(!sched_setscheduler(0, SCHED_FIFO, &priority));
        execl("/proc/self/exe", arguments[0], "none", NULL);
        return 1;
    }
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    if (is("created")) {
        pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
        pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
        pthread_attr_setschedparam(&attributes, &priority);
    }
    pthread_t ordinary, real_time;
    pthread_create(&ordinary, NULL, work, NULL);
    need(!pthread_create(&real_time, &attributes, work, &count));
    pthread_join(ordinary, NULL);
    pthread_join(real_time, NULL);
    printf("count %ld\n", count);
    return 0;
}

// condition_counts THREADS: half of the threads put numbers into a queue with little room, half take them out, while a timer
// interrupts them all the time: what was put is taken once. Then a baton that goes round all threads, each of which waits for
// its own number; waits that all are let go of at once, again and again; and deadlines that have passed. Succeeds if all of it
// adds up.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

enum { ROOM = 3, ITEMS = 100, TURNS = 4, STORMS = 10 };

#define CHECK(what)                                                                                                              \
    do {                                                                                                                         \
        if (!(what)) {                                                                                                           \
            fprintf(stderr, "line %d: %s\n", __LINE__, #what);                                                                   \
            exit(1);                                                                                                             \
        }                                                                                                                        \
    } while (0)

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_items = PTHREAD_COND_INITIALIZER, has_room = PTHREAD_COND_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER, stormed;
static long queue[ROOM], length, put_sum, taken_sum, taken;
static long threads, turn, storm, arrived;

static void interrupt(int number) { (void)number; }

static void *put(void *argument) {
    long first = (long)argument * ITEMS;
    for (long item = first; item < first + ITEMS; item++) {
        CHECK(pthread_mutex_lock(&mutex) == 0);
        while (length == ROOM)
            CHECK(pthread_cond_wait(&has_room, &mutex) == 0);
        queue[length++] = item;
        put_sum += item;
        CHECK(pthread_mutex_unlock(&mutex) == 0);
        CHECK(pthread_cond_signal(&has_items) == 0);
    }
    return NULL;
}

static void *take(void *argument) {
    for (long count = 0; count < ITEMS; count++) {
        CHECK(pthread_mutex_lock(&mutex) == 0);
        while (length == 0) {
            if ((count + (long)argument) % 3 == 0) {
                struct timespec soon;
                clock_gettime(CLOCK_MONOTONIC, &soon);
                soon.tv_nsec = (soon.tv_nsec + 20000) % 1000000000;
                int result = pthread_cond_clockwait(&has_items, &mutex, CLOCK_MONOTONIC, &soon);
                CHECK(result == 0 || result == ETIMEDOUT);
            } else {
                CHECK(pthread_cond_wait(&has_items, &mutex) == 0);
            }
        }
        taken_sum += queue[--length];
        taken++;
        CHECK(length >= 0 && length < ROOM);
        CHECK(pthread_cond_signal(&has_room) == 0);
        CHECK(pthread_mutex_unlock(&mutex) == 0);
    }
    return NULL;
}

static void *turn_round(void *argument) {
    for (long count = 0; count < TURNS; count++) {
        CHECK(pthread_mutex_lock(&mutex) == 0);
        while (turn % threads != (long)argument)
            CHECK(pthread_cond_wait(&turned, &mutex) == 0);
        turn++;
        CHECK(pthread_cond_broadcast(&turned) == 0);
        CHECK(pthread_mutex_unlock(&mutex) == 0);
    }
    return NULL;
}

static void *weather(void *unused) {
    CHECK(pthread_mutex_lock(&mutex) == 0);
    for (long seen = 0; seen < STORMS;) {
        arrived++;
        struct timespec far;
        clock_gettime(CLOCK_MONOTONIC, &far);
        far.tv_sec += 60;
        while (storm == seen)
            CHECK(pthread_cond_timedwait(&stormed, &mutex, &far) == 0);
        seen++;
        CHECK(storm == seen);
    }
    CHECK(pthread_mutex_unlock(&mutex) == 0);
    return unused;
}

static void with_all(void *(*first)(void *), void *(*second)(void *)) {
    pthread_t thread[threads];
    for (long i = 0; i < threads; i++)
        CHECK(pthread_create(&thread[i], NULL, i % 2 ? second : first, (void *)i) == 0);
    if (first == weather)
        for (long sent = 0; sent < STORMS;) {
            CHECK(pthread_mutex_lock(&mutex) == 0);
            if (arrived == threads) {
                arrived = 0;
                storm = ++sent;
                CHECK(pthread_cond_broadcast(&stormed) == 0);
            }
            CHECK(pthread_mutex_unlock(&mutex) == 0);
            sched_yield();
        }
    for (long i = 0; i < threads; i++)
        CHECK(pthread_join(thread[i], NULL) == 0);
}

static void in_the_past(void) {
    pthread_cond_t never = PTHREAD_COND_INITIALIZER;
    struct timespec past[] = {{0, 0}, {1, 999999999}, {-1, 0}};
    CHECK(pthread_mutex_lock(&mutex) == 0);
    for (int i = 0; i < 1000; i++) {
        CHECK(pthread_cond_timedwait(&never, &mutex, &past[i % 3]) == ETIMEDOUT);
        CHECK(pthread_cond_clockwait(&never, &mutex, CLOCK_MONOTONIC, &past[i % 3]) == ETIMEDOUT);
    }
    // Two threads may have come past each other without a wait: whoever counts conditions that were waited for finds all.
    CHECK(pthread_cond_timedwait(&has_items, &mutex, &past[0]) == ETIMEDOUT);
    CHECK(pthread_cond_timedwait(&has_room, &mutex, &past[0]) == ETIMEDOUT);
    CHECK(pthread_cond_timedwait(&turned, &mutex, &past[0]) == ETIMEDOUT);
    CHECK(pthread_mutex_trylock(&mutex) == EBUSY);
    CHECK(pthread_mutex_unlock(&mutex) == 0);
    CHECK(pthread_cond_destroy(&never) == 0);
}

int main(int count, char **arguments) {
    threads = (count > 1 ? atol(arguments[1]) : 8) / 2 * 2;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    CHECK(pthread_cond_init(&stormed, &monotonic) == 0);
    struct sigaction action = {.sa_handler = interrupt};
    sigaction(SIGUSR1, &action, NULL);
    action.sa_flags = SA_RESTART;
    sigaction(SIGPROF, &action, NULL);
    // By processor time, so that the interruptions leave the program time to go on.
    struct itimerval often = {{0, 1000}, {0, 1000}};
    setitimer(ITIMER_PROF, &often, NULL);
    with_all(put, take);
    CHECK(length == 0 && taken == threads / 2 * ITEMS && put_sum == taken_sum);
    with_all(turn_round, turn_round);
    CHECK(turn == threads * TURNS);
    with_all(weather, weather);
    in_the_past();
    CHECK(pthread_cond_destroy(&stormed) == 0);
    return 0;
}

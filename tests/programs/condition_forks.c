// For a library that promises more than POSIX, which lets the child of a program with threads do next to nothing: under the C
// library's own conditions the child waits for its parent's threads.
//
// condition_forks THREADS: forks while threads wait for a condition, are told, and are late. The child uses the condition that
// it was born with, with threads of its own, and destroys it; its parent's threads are none of its concern. Succeeds if parent
// and children see all their signals, and the clock is the one that the condition was made with.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FORKS = 20, TURNS = 50 };

#define CHECK(what)                                                                                                              \
    do {                                                                                                                         \
        if (!(what)) {                                                                                                           \
            fprintf(stderr, "line %d: %s\n", __LINE__, #what);                                                                   \
            _exit(1);                                                                                                            \
        }                                                                                                                        \
    } while (0)

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, own = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed, unused = PTHREAD_COND_INITIALIZER;
static long threads, turn, stop;

static struct timespec in_us(long microseconds) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_nsec += microseconds * 1000;
    at.tv_sec += at.tv_nsec / 1000000000;
    at.tv_nsec %= 1000000000;
    return at;
}

static void *wait_and_tell(void *argument) {
    CHECK(pthread_mutex_lock(&mutex) == 0);
    while (!stop) {
        struct timespec soon = in_us(100 + (long)argument * 20);
        int result = pthread_cond_timedwait(&changed, &mutex, &soon);
        CHECK(result == 0 || result == ETIMEDOUT);
        CHECK(pthread_cond_signal(&changed) == 0);
    }
    CHECK(pthread_mutex_unlock(&mutex) == 0);
    return NULL;
}

static void *take_turns(void *argument) {
    for (int i = 0; i < TURNS; i++) {
        CHECK(pthread_mutex_lock(&own) == 0);
        while (turn % 2 != (long)argument)
            CHECK(pthread_cond_wait(&changed, &own) == 0);
        turn++;
        CHECK(pthread_cond_broadcast(&changed) == 0);
        CHECK(pthread_mutex_unlock(&own) == 0);
    }
    return NULL;
}

static void child(void) {
    // Nobody waits here.
    CHECK(pthread_cond_signal(&changed) == 0 && pthread_cond_broadcast(&unused) == 0);
    CHECK(pthread_mutex_lock(&own) == 0);
    struct timespec soon = in_us(500);
    CHECK(pthread_cond_timedwait(&changed, &own, &soon) == ETIMEDOUT);
    struct timespec now = in_us(0);
    CHECK(now.tv_sec > soon.tv_sec || (now.tv_sec == soon.tv_sec && now.tv_nsec >= soon.tv_nsec));
    CHECK(pthread_mutex_unlock(&own) == 0);
    pthread_t thread[2];
    for (long i = 0; i < 2; i++)
        CHECK(pthread_create(&thread[i], NULL, take_turns, (void *)i) == 0);
    for (long i = 0; i < 2; i++)
        CHECK(pthread_join(thread[i], NULL) == 0);
    CHECK(turn == 2 * TURNS);
    CHECK(pthread_cond_destroy(&changed) == 0);
    _exit(42);
}

int main(int count, char **arguments) {
    threads = count > 1 ? atol(arguments[1]) : 4;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    CHECK(pthread_cond_init(&changed, &monotonic) == 0);
    pthread_t thread[threads];
    for (long i = 0; i < threads; i++)
        CHECK(pthread_create(&thread[i], NULL, wait_and_tell, (void *)i) == 0);
    for (int i = 0; i < FORKS; i++) {
        usleep(500);
        pid_t forked = fork();
        if (forked == 0)
            child();
        int status;
        CHECK(waitpid(forked, &status, 0) == forked);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 42);
    }
    CHECK(pthread_mutex_lock(&mutex) == 0);
    stop = 1;
    CHECK(pthread_cond_broadcast(&changed) == 0);
    CHECK(pthread_mutex_unlock(&mutex) == 0);
    for (long i = 0; i < threads; i++)
        CHECK(pthread_join(thread[i], NULL) == 0);
    CHECK(pthread_cond_destroy(&changed) == 0);
    return 0;
}

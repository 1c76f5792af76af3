// condition_freed THREADS: threads wait for a condition in a page of its own, some of them until a moment that comes at about
// the same time. When all have been told, by one broadcast or one signal each, the condition is destroyed and its page unmapped
// at once, while they still come back from their waits: whoever touches it crashes. Succeeds if nobody does.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

enum { ROUNDS = 150 };

#define CHECK(what)                                                                                                              \
    do {                                                                                                                         \
        if (!(what)) {                                                                                                           \
            fprintf(stderr, "line %d: %s\n", __LINE__, #what);                                                                   \
            exit(1);                                                                                                             \
        }                                                                                                                        \
    } while (0)

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t *condition;
static pthread_barrier_t all;
static long come, gone, told, last_frees, threads;

static void *wait_in_rounds(void *argument) {
    long own = (long)argument;
    for (long round = 0; round < ROUNDS; round++) {
        pthread_barrier_wait(&all);
        CHECK(pthread_mutex_lock(&mutex) == 0);
        come++;
        int result = 0;
        struct timespec at;
        clock_gettime(CLOCK_REALTIME, &at);
        at.tv_nsec += (own * 7 + round * 13) % 200 * 1000;
        if (at.tv_nsec >= 1000000000) {
            at.tv_sec++;
            at.tv_nsec -= 1000000000;
        }
        while (!told && result == 0)
            result = own % 2 ? pthread_cond_timedwait(condition, &mutex, &at) : pthread_cond_wait(condition, &mutex);
        CHECK(result == 0 || result == ETIMEDOUT);
        if (++gone == threads && last_frees) {
            // The last one out, as a reference count would have it: the signaller's call may not have returned.
            CHECK(told);
            CHECK(pthread_cond_destroy(condition) == 0);
            CHECK(munmap(condition, 4096) == 0);
        }
        CHECK(pthread_mutex_unlock(&mutex) == 0);
        pthread_barrier_wait(&all);
    }
    return NULL;
}

int main(int count, char **arguments) {
    threads = count > 1 ? atol(arguments[1]) : 8;
    pthread_barrier_init(&all, NULL, threads + 1);
    pthread_t thread[threads];
    for (long i = 0; i < threads; i++)
        CHECK(pthread_create(&thread[i], NULL, wait_in_rounds, (void *)i) == 0);
    for (long round = 0; round < ROUNDS; round++) {
        condition = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        CHECK(condition != MAP_FAILED);
        told = come = gone = 0;
        last_frees = round % 3 == 2;
        pthread_barrier_wait(&all);
        while (!told) {
            CHECK(pthread_mutex_lock(&mutex) == 0);
            if (come == threads) {
                told = 1;
                if (round % 3 == 1)
                    for (long i = 0; i < threads; i++)
                        CHECK(pthread_cond_signal(condition) == 0);
                else
                    CHECK(pthread_cond_broadcast(condition) == 0);
                if (!last_frees) {
                    CHECK(pthread_cond_destroy(condition) == 0);
                    CHECK(munmap(condition, 4096) == 0);
                }
            }
            CHECK(pthread_mutex_unlock(&mutex) == 0);
            sched_yield();
        }
        pthread_barrier_wait(&all);
    }
    for (long i = 0; i < threads; i++)
        CHECK(pthread_join(thread[i], NULL) == 0);
    return 0;
}

/* locktoll_condition as a C program uses it. Says "done" at the end. */
#define _GNU_SOURCE
#include <locktoll.h>

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "check.h"

enum { ROUNDS = 3000, WAITERS = 16, CROWDS = 200 };

static locktoll_mutex mutex;
static locktoll_condition turned;
static int turn;

/* Two threads take turns; every third wait has a deadline that does not come. */
static void *play(void *whose)
{
    int own = *(int *)whose;
    struct timespec far = { 0, 0 };
    clock_gettime(CLOCK_MONOTONIC, &far);
    far.tv_sec += 1000;
    for (int i = 0; i < ROUNDS; i++) {
        locktoll_mutex_lock(&mutex);
        while (turn != own)
            if (i % 3 != 0)
                locktoll_condition_wait(&turned, &mutex);
            else
                CHECK(locktoll_condition_clockwait(&turned, &mutex, CLOCK_MONOTONIC, &far) == 0);
        turn = !own;
        locktoll_mutex_unlock(&mutex);
        locktoll_condition_signal(&turned);
    }
    return NULL;
}

static void ping_pong(void)
{
    int both[2] = { 0, 1 };
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        CHECK(pthread_create(&threads[i], NULL, play, &both[i]) == 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    CHECK(turn == 0);
}

/* Where a crowd waits for one broadcast; freed as soon as it was made and those are gone that gave up. */
struct door {
    locktoll_mutex mutex;
    locktoll_condition came;
    locktoll_condition opened;
    int waiting;
    bool open;
    int through;
};

static void *wait_at(void *shared)
{
    struct door *door = shared;
    locktoll_mutex_lock(&door->mutex);
    door->waiting++;
    locktoll_condition_signal(&door->came);
    while (!door->open)
        locktoll_condition_wait(&door->opened, &door->mutex);
    door->through++;
    locktoll_mutex_unlock(&door->mutex);
    return NULL;
}

static void broadcasts(void)
{
    for (int crowd = 0; crowd < CROWDS; crowd++) {
        struct door *door = calloc(1, sizeof *door);
        pthread_t threads[WAITERS];
        for (int i = 0; i < WAITERS; i++)
            CHECK(pthread_create(&threads[i], NULL, wait_at, door) == 0);
        locktoll_mutex_lock(&door->mutex);
        while (door->waiting < WAITERS)
            locktoll_condition_wait(&door->came, &door->mutex);
        door->open = true;
        locktoll_condition_broadcast(&door->opened);
        /* All are on their way, and need it no more. */
        locktoll_condition_destroy(&door->opened);
        memset(&door->opened, 0xff, sizeof door->opened);
        locktoll_mutex_unlock(&door->mutex);
        for (int i = 0; i < WAITERS; i++)
            pthread_join(threads[i], NULL);
        CHECK(door->through == WAITERS);
        free(door);
    }
}

static void times(void)
{
    const clockid_t clocks[] = { CLOCK_REALTIME, CLOCK_MONOTONIC };
    locktoll_condition never = LOCKTOLL_CONDITION_INIT;
    struct timespec at, now;
    locktoll_mutex_lock(&mutex);
    for (int i = 0; i < 2; i++) {
        clock_gettime(clocks[i], &at);
        at.tv_sec += (at.tv_nsec + 3000000) / 1000000000;
        at.tv_nsec = (at.tv_nsec + 3000000) % 1000000000;
        CHECK(locktoll_condition_clockwait(&never, &mutex, clocks[i], &at) == ETIMEDOUT);
        clock_gettime(clocks[i], &now);
        CHECK(now.tv_sec > at.tv_sec || (now.tv_sec == at.tv_sec && now.tv_nsec >= at.tv_nsec));
        CHECK(locktoll_mutex_is_locked(&mutex));
    }
    at.tv_nsec = 1000000000;
    CHECK(locktoll_condition_clockwait(&never, &mutex, CLOCK_MONOTONIC, &at) == EINVAL);
    at.tv_nsec = 0;
    CHECK(locktoll_condition_clockwait(&never, &mutex, CLOCK_THREAD_CPUTIME_ID, &at) == EINVAL);
    CHECK(locktoll_mutex_is_locked(&mutex));
    locktoll_mutex_unlock(&mutex);
    locktoll_condition_destroy(&never);
}

int main(void)
{
    ping_pong();
    broadcasts();
    times();
    puts("done");
    return 0;
}

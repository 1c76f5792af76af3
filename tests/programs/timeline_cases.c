/* What a timeline must find, by the first argument:

   convoy: five threads queue for `journal` in the same order. A holder releases it once the four others are asleep in it, and asks
     for it again once the next one has it.
   herd: six threads wait for `filled`; each round, one broadcast wakes all, and each then computes for 2 ms with the mutex `queue`.
   chain: a thread waits for `outer`, whose holder waits for `middle`, whose holder waits for `inner`, whose holder goes on for 5 ms
     once all of them are asleep.
   order: four threads take `notes` 300 times each, as they come, and note it while they hold it. Prints the thread of each turn.
   alone: one thread holds `own` once, for 50 ms. Prints how long at least and at most, in nanoseconds. */
#include "measure.h"
#include <sched.h>
#include <stdlib.h>

enum { MOST = 6, TURNS = 40, ROUNDS = 4, NOTES = 300 };

static volatile int tids[MOST];

/* The thread does not sleep from here on, until it waits for a lock. */
static void begin(int number) { tids[number] = (int)syscall(SYS_gettid); }

static void until_asleep(int number)
{
    while (!tids[number] || !is_asleep(tids[number]))
        sched_yield();
}

static pthread_mutex_t journal = PTHREAD_MUTEX_INITIALIZER;
static volatile int turn;

static void *queues(void *which)
{
    int number = (int)(long)which;
    begin(number);
    for (int round = 0; round < TURNS; round++) {
        pthread_mutex_lock(&journal);
        int mine = ++turn;
        for (int other = 0; round < TURNS - 1 && other < 5; other++)
            if (other != number)
                until_asleep(other);
        pthread_mutex_unlock(&journal);
        while (round < TURNS - 1 && turn == mine)
            sched_yield();
    }
    return NULL;
}

static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int generation, waiting;

static void *serves(void *unused)
{
    for (int round = 0; round < ROUNDS; round++) {
        pthread_mutex_lock(&queue);
        int present = generation;
        waiting++;
        while (present == generation)
            pthread_cond_wait(&filled, &queue);
        spin_ns(2000000);
        pthread_mutex_unlock(&queue);
    }
    return unused;
}

static void *wakes(void *unused)
{
    for (int round = 0; round < ROUNDS;) {
        pthread_mutex_lock(&queue);
        if (waiting == MOST) {
            waiting = 0;
            generation++;
            round++;
            pthread_cond_broadcast(&filled);
        }
        pthread_mutex_unlock(&queue);
        sleep_ns(1000000);
    }
    return unused;
}

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, middle = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static volatile int held;

static void await(int number)
{
    while (held < number)
        sched_yield();
}

static void *waits(void *which)
{
    pthread_mutex_t *first[] = {&inner, &middle, &outer, &outer}, *second[] = {NULL, &inner, &middle, NULL};
    int number = (int)(long)which;
    await(number);
    if (number == 3)
        begin(number);
    pthread_mutex_lock(first[number]);
    if (number < 3)
        held = number + 1;
    if (number == 0) {
        for (int other = 1; other < 4; other++)
            until_asleep(other);
        sleep_ns(5000000);
    }
    if (second[number]) {
        begin(number);
        pthread_mutex_lock(second[number]);
        pthread_mutex_unlock(second[number]);
    }
    pthread_mutex_unlock(first[number]);
    return NULL;
}

static pthread_mutex_t notes = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t together;
static int noted[4 * NOTES], count;

static void *writes(void *unused)
{
    int tid = (int)syscall(SYS_gettid);
    pthread_barrier_wait(&together);
    for (int note = 0; note < NOTES; note++) {
        pthread_mutex_lock(&notes);
        noted[count++] = tid;
        spin_ns(3000);
        if (note == 0)
            usleep(10000); /* so that the others come to wait, however busy the machine is */
        pthread_mutex_unlock(&notes);
        spin_ns(1000 + 500 * (note % 7));
    }
    return unused;
}

static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;

static void alone(void)
{
    long long asked = now_ns();
    pthread_mutex_lock(&own);
    long long begin = now_ns();
    spin_ns(50000000);
    long long end = now_ns();
    pthread_mutex_unlock(&own);
    printf("%lld\n%lld\n", end - begin, now_ns() - asked);
}

static void run(int number, void *(*role)(void *), void *(*last)(void *))
{
    pthread_t threads[MOST + 1];
    for (long i = 0; i < number; i++)
        pthread_create(&threads[i], NULL, last && i == number - 1 ? last : role, (void *)i);
    for (int i = 0; i < number; i++)
        pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "";
    if (!strcmp(which, "convoy"))
        run(5, queues, NULL);
    else if (!strcmp(which, "herd"))
        run(MOST + 1, serves, wakes);
    else if (!strcmp(which, "chain"))
        run(4, waits, NULL);
    else if (!strcmp(which, "order")) {
        pthread_barrier_init(&together, NULL, 4);
        run(4, writes, NULL);
    }
    else if (!strcmp(which, "alone"))
        alone();
    else
        return 2;
    for (int note = 0; note < count; note++)
        printf("%d\n", noted[note]);
    return 0;
}

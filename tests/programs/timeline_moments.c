/* What happens in a part of the time, and a timeline must find there, by the first argument. In each round, one thread holds a lock until
   another one is asleep in it.

   burst: 80 rounds for `rush`, one after another; before and after them, six rounds in 1.2 s.
   second: ten rounds for `slow` of 5 ms each, in more than 3 s, and one of 600 ms among them.
   inversion: a thread that holds `shared` is kept from its CPU by a thread of higher priority, which computes for 40 ms. Prints "refused 1"
     if this user may not have such a thread. Otherwise prints the threads: `holder`, `waiter`. */
#include "measure.h"
#include <sched.h>
#include <stdlib.h>

static pthread_mutex_t rush = PTHREAD_MUTEX_INITIALIZER, slow = PTHREAD_MUTEX_INITIALIZER, shared = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t *lock;
static volatile int rounds, asked, coming, done;

/* Waits for the lock in each round. */
static void *waits(void *unused)
{
    for (int round = 1; round <= rounds; round++) {
        while (asked < round)
            sleep_ns(50000);
        coming = (int)syscall(SYS_gettid);
        pthread_mutex_lock(lock);
        coming = 0;
        pthread_mutex_unlock(lock);
        done = round;
    }
    return unused;
}

/* Holds the lock until the other thread waits for it, and for this long after that. */
static void one_round(long long hold_ns)
{
    int round = done + 1;
    pthread_mutex_lock(lock);
    asked = round;
    while (!coming || !is_asleep(coming))
        sched_yield();
    sleep_ns(hold_ns);
    pthread_mutex_unlock(lock);
    while (done < round)
        sleep_ns(20000);
}

static void rounds_apart(int number, long long hold_ns, long long pause_ns)
{
    for (int round = 0; round < number; round++) {
        one_round(hold_ns);
        sleep_ns(pause_ns);
    }
}

static void burst(void)
{
    rounds_apart(6, 100000, 200000000);
    rounds_apart(80, 100000, 0);
    sleep_ns(200000000);
    rounds_apart(6, 100000, 200000000);
}

static void second(void)
{
    rounds_apart(4, 5000000, 300000000);
    one_round(600000000);
    rounds_apart(6, 5000000, 300000000);
}

static int urgent[2];

/* Has the only CPU of the holder as soon as there is something to read, and keeps it. */
static void *computes(void *unused)
{
    char byte;
    if (read(urgent[0], &byte, 1) == 1)
        spin_ns(40000000);
    return unused;
}

static int begin_urgent(pthread_t *thread)
{
    pthread_attr_t attributes;
    struct sched_param priority = {.sched_priority = 10};
    pthread_attr_init(&attributes);
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
    pthread_attr_setschedparam(&attributes, &priority);
    return pipe(urgent) == 0 && pthread_create(thread, &attributes, computes, NULL) == 0;
}

/* The threads that are begun after this are on the same CPU. */
static void stay_on_one_cpu(void)
{
    cpu_set_t cpus;
    int cpu = sched_getcpu();
    CPU_ZERO(&cpus);
    CPU_SET(cpu < 0 ? 0 : cpu, &cpus);
    sched_setaffinity(0, sizeof cpus, &cpus);
}

static void inversion(void)
{
    pthread_t computing;
    stay_on_one_cpu();
    if (!begin_urgent(&computing)) {
        printf("refused 1\n");
        return;
    }
    pthread_mutex_lock(lock);
    asked = 1;
    while (!coming || !is_asleep(coming))
        sched_yield();
    printf("refused 0\nholder %d\nwaiter %d\n", (int)syscall(SYS_gettid), coming);
    if (write(urgent[1], "", 1) != 1)
        abort();
    pthread_mutex_unlock(lock);
    pthread_join(computing, NULL);
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "";
    int is_burst = !strcmp(which, "burst"), is_second = !strcmp(which, "second");
    if (!is_burst && !is_second && strcmp(which, "inversion"))
        return 2;
    lock = is_burst ? &rush : is_second ? &slow : &shared;
    rounds = is_burst ? 92 : is_second ? 11 : 1;
    pthread_t waiting;
    pthread_create(&waiting, NULL, waits, NULL);
    if (is_burst)
        burst();
    else if (is_second)
        second();
    else
        inversion();
    asked = rounds;
    pthread_join(waiting, NULL);
    return 0;
}

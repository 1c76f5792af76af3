/* Many processes with many locks: forks PROCESSES (the first argument) children with names of their own, `member-0` and so on, each with
 * 50 mutexes in variables and two threads. Prints "ready" once all of them are there. For each line of its input, a number, each thread
 * of each child acquires each of its mutexes this many times; then it prints "done". Ends with its input.
 *
 * Answer: 2 * 50 * PROCESSES acquisitions for each 1 of the numbers. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TEN(LOCK, tens) \
    LOCK(tens##0) LOCK(tens##1) LOCK(tens##2) LOCK(tens##3) LOCK(tens##4) \
    LOCK(tens##5) LOCK(tens##6) LOCK(tens##7) LOCK(tens##8) LOCK(tens##9)
#define ALL(LOCK) TEN(LOCK, 1) TEN(LOCK, 2) TEN(LOCK, 3) TEN(LOCK, 4) TEN(LOCK, 5)

#define VARIABLE(number) static pthread_mutex_t member_lock_##number = PTHREAD_MUTEX_INITIALIZER;
ALL(VARIABLE)
#define ADDRESS(number) &member_lock_##number,
static pthread_mutex_t *const locks[] = {ALL(ADDRESS)};
enum { LOCKS = sizeof locks / sizeof *locks };

/* What all processes share. */
static struct {
    atomic_long wanted;
    atomic_long working;
    atomic_int is_over;
} *shared;

static void pause_briefly(void)
{
    struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};
    nanosleep(&pause, NULL);
}

static void *member(void *unused)
{
    long done = 0;
    atomic_fetch_sub(&shared->working, 1);
    for (;;) {
        long wanted = atomic_load(&shared->wanted);
        if (done == wanted) {
            if (atomic_load(&shared->is_over)) return unused;
            pause_briefly();
            continue;
        }
        for (; done < wanted; done++) {
            for (int lock = 0; lock < LOCKS; lock++) {
                pthread_mutex_lock(locks[lock]);
                if (done % 16 == 0) sched_yield();
                pthread_mutex_unlock(locks[lock]);
            }
        }
        atomic_fetch_sub(&shared->working, 1);
    }
}

static void begin(int number)
{
    char name[16];
    pthread_t other;
    snprintf(name, sizeof name, "member-%d", number);
    prctl(PR_SET_NAME, name);
    if (pthread_create(&other, NULL, member, NULL)) abort();
    member(NULL);
    pthread_join(other, NULL);
    exit(0);
}

int main(int count, char **words)
{
    int processes = count > 1 ? atoi(words[1]) : 1;
    long more;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return 1;
    atomic_store(&shared->working, 2L * processes);
    for (int number = 0; number < processes; number++)
        if (!fork()) begin(number);
    while (atomic_load(&shared->working)) pause_briefly();
    puts("ready");
    fflush(stdout);
    while (scanf("%ld", &more) == 1) {
        atomic_store(&shared->working, 2L * processes);
        atomic_fetch_add(&shared->wanted, more);
        while (atomic_load(&shared->working)) pause_briefly();
        puts("done");
        fflush(stdout);
    }
    atomic_store(&shared->is_over, 1);
    while (wait(NULL) > 0) {}
}

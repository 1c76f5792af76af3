// Everything at once, in one program: mutexes of three kinds, conditions, a reader-writer lock and spin locks, under more threads than
// processors, with a timer that interrupts them and a thread that cancels others where they may be cancelled. What was
// kept under the locks must add up at the end: money that is moved, jobs that are queued, members that come and go.
//
// Arguments: how many threads (of each kind, divided by four), and how many jobs.
#include "show.h"
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { ACCOUNTS = 8, MONEY = 1000, PLACES = 16, MOST = 64 };

static int threads = 64;
static long jobs = 10000;
static volatile sig_atomic_t interruptions;
static int wrong;

#define EXPECT(call, expected)                                                  \
    do {                                                                        \
        int result_ = (call);                                                   \
        if (result_ != (expected)) {                                            \
            printf("%s: %d\n", #call, result_);                                 \
            __atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);                      \
        }                                                                       \
    } while (0)

// Money lies in accounts, each under a spin lock. Who moves some holds the directory to read; an audit holds it to write, and all
// the money must be there.
static pthread_rwlock_t directory = PTHREAD_RWLOCK_INITIALIZER;
static struct {
    pthread_spinlock_t lock;
    long money;
} accounts[ACCOUNTS];
static int over;

static unsigned roll(unsigned *dice) {
    *dice = *dice * 1103515245u + 12345u;
    return *dice >> 16;
}

static void audit(void) {
    long sum = 0;
    for (int i = 0; i < ACCOUNTS; i++) sum += accounts[i].money;
    EXPECT(sum == ACCOUNTS * MONEY, 1);
}

static void *mover(void *seed) {
    unsigned dice = (unsigned)(size_t)seed;
    while (!__atomic_load_n(&over, __ATOMIC_RELAXED)) {
        struct timespec soon = in_ms(CLOCK_REALTIME, 2);
        unsigned way = roll(&dice);
        if (way % 32 == 0) {
            int result = way & 32 ? pthread_rwlock_wrlock(&directory) : pthread_rwlock_timedwrlock(&directory, &soon);
            if (result == ETIMEDOUT) continue;
            EXPECT(result, 0);
            audit();
            // All accounts change places, under nothing but the directory.
            long first = accounts[0].money;
            for (int i = 0; i + 1 < ACCOUNTS; i++) accounts[i].money = accounts[i + 1].money;
            accounts[ACCOUNTS - 1].money = first;
        } else {
            int result = way & 32 ? pthread_rwlock_rdlock(&directory) : pthread_rwlock_timedrdlock(&directory, &soon);
            if (result == ETIMEDOUT) continue;
            EXPECT(result, 0);
            unsigned from = roll(&dice) % ACCOUNTS, to = roll(&dice) % ACCOUNTS;
            if (from != to) {
                unsigned low = from < to ? from : to, high = from < to ? to : from;
                EXPECT(pthread_spin_lock(&accounts[low].lock), 0);
                while (pthread_spin_trylock(&accounts[high].lock) != 0) sched_yield();
                long amount = way % 7;
                accounts[from].money -= amount;
                accounts[to].money += amount;
                EXPECT(pthread_spin_unlock(&accounts[high].lock), 0);
                EXPECT(pthread_spin_unlock(&accounts[low].lock), 0);
            }
        }
        EXPECT(pthread_rwlock_unlock(&directory), 0);
        if (way % 8 == 0) sched_yield();
    }
    return NULL;
}

// Jobs go through a queue with few places. Those who work are cancelled now and then while they wait, and replaced.
static pthread_mutex_t queue_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;
static long queue[PLACES], queued, taken, put, sum_put, sum_taken;

static void leave_queue(void *unused) {
    (void)unused;
    EXPECT(pthread_mutex_unlock(&queue_mutex), 0);
}

static void *worker(void *seed) {
    unsigned dice = (unsigned)(size_t)seed;
    for (;;) {
        int done = 0;
        EXPECT(pthread_mutex_lock(&queue_mutex), 0);
        pthread_cleanup_push(leave_queue, NULL);
        while (queued == 0 && taken < jobs) {
            if (roll(&dice) % 2) {
                EXPECT(pthread_cond_wait(&not_empty, &queue_mutex), 0);
            } else {
                struct timespec soon = in_ms(CLOCK_REALTIME, 3);
                int result = pthread_cond_timedwait(&not_empty, &queue_mutex, &soon);
                if (result != ETIMEDOUT) EXPECT(result, 0);
            }
        }
        if (queued > 0) {
            sum_taken += queue[--queued];
            taken++;
            pthread_cond_signal(&not_full);
        }
        if (taken == jobs) {
            done = 1;
            pthread_cond_broadcast(&not_empty);
        }
        pthread_cleanup_pop(1);
        if (done) return NULL;
    }
}

static void *producer(void *seed) {
    unsigned dice = (unsigned)(size_t)seed;
    for (;;) {
        EXPECT(pthread_mutex_lock(&queue_mutex), 0);
        while (queued == PLACES && put < jobs) EXPECT(pthread_cond_wait(&not_full, &queue_mutex), 0);
        int done = put == jobs;
        if (!done) {
            long job = roll(&dice);
            queue[queued++] = job;
            sum_put += job;
            put++;
            pthread_cond_signal(&not_empty);
            if (job % 16 == 0) pthread_cond_signal(&not_empty);
        } else {
            pthread_cond_broadcast(&not_full);
        }
        EXPECT(pthread_mutex_unlock(&queue_mutex), 0);
        if (done) return NULL;
        if (roll(&dice) % 64 == 0) usleep(100);
    }
}

// Members come and go under a recursive mutex, and are looked for under one that checks errors.
static pthread_mutex_t members_mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t visitors_mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static long members, visitors, came;

static void come(int times) {
    if (times == 0) return;
    EXPECT(pthread_mutex_lock(&members_mutex), 0);
    members++;
    come(times - 1);
    members--;
    EXPECT(pthread_mutex_unlock(&members_mutex), 0);
}

static void *member(void *seed) {
    unsigned dice = (unsigned)(size_t)seed;
    while (!__atomic_load_n(&over, __ATOMIC_RELAXED)) {
        come(roll(&dice) % 4);
        struct timespec soon = in_ms(CLOCK_MONOTONIC, 2);
        int result = pthread_mutex_clocklock(&visitors_mutex, CLOCK_MONOTONIC, &soon);
        if (result == ETIMEDOUT) continue;
        EXPECT(result, 0);
        EXPECT(pthread_mutex_lock(&visitors_mutex), EDEADLK);
        visitors++;
        came++;
        sched_yield();
        visitors--;
        EXPECT(visitors, 0);
        EXPECT(pthread_mutex_unlock(&visitors_mutex), 0);
    }
    return NULL;
}

static void interrupted(int unused) {
    (void)unused;
    interruptions++;
}

int main(int argc, char **argv) {
    if (argc > 1) threads = atoi(argv[1]);
    if (argc > 2) jobs = atol(argv[2]);
    size_t each = threads < 4 ? 1 : threads > 4 * MOST ? MOST : (size_t)threads / 4;
    pthread_t workers[MOST], producers[MOST], movers[MOST], those[MOST];
    for (int i = 0; i < ACCOUNTS; i++) {
        pthread_spin_init(&accounts[i].lock, PTHREAD_PROCESS_PRIVATE);
        accounts[i].money = MONEY;
    }
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = interrupted;
    sigaction(SIGALRM, &action, NULL);
    struct itimerval every = {{0, 1000}, {0, 1000}};

    for (size_t i = 0; i < each; i++) {
        pthread_create(&movers[i], NULL, mover, (void *)(4 * i + 1));
        pthread_create(&those[i], NULL, member, (void *)(4 * i + 2));
        pthread_create(&producers[i], NULL, producer, (void *)(4 * i + 3));
        pthread_create(&workers[i], NULL, worker, (void *)(4 * i + 4));
    }
    setitimer(ITIMER_REAL, &every, NULL);
    long cancelled = 0, asked = 0;
    int pending[MOST] = {0};
    unsigned dice = (unsigned)getpid();
    for (int finished = 0; !finished;) {
        size_t one = roll(&dice) % each;
        if (!pending[one]) {
            pthread_cancel(workers[one]);
            pending[one] = 1;
            asked++;
        }
        for (size_t i = 0; i < each; i++) {
            void *ended;
            // It goes on until it comes to wait for a job.
            if (!pending[i] || pthread_tryjoin_np(workers[i], &ended) != 0) continue;
            cancelled += ended == PTHREAD_CANCELED;
            pending[i] = 0;
            pthread_create(&workers[i], NULL, worker, (void *)(size_t)dice);
        }
        usleep(roll(&dice) % 1000);
        pthread_mutex_lock(&queue_mutex);
        finished = taken == jobs;
        pthread_mutex_unlock(&queue_mutex);
    }
    for (size_t i = 0; i < each; i++) {
        pthread_join(producers[i], NULL);
        pthread_join(workers[i], NULL);
    }
    __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
    for (size_t i = 0; i < each; i++) {
        pthread_join(movers[i], NULL);
        pthread_join(those[i], NULL);
    }
    struct itimerval never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &never, NULL);
    audit();
    EXPECT(queued == 0 && put == jobs && taken == jobs && sum_put == sum_taken, 1);
    EXPECT(members == 0 && visitors == 0, 1);
    fprintf(stderr, "%ld of %ld cancelled, %d interruptions, %ld visits\n", cancelled, asked, (int)interruptions, came);
    puts(wrong ? "does not add up" : "adds up");
    return wrong;
}

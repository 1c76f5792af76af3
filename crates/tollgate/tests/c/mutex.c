/* locktoll_mutex as a C program uses it. Says "done" at the end. */
#define _GNU_SOURCE
#include <locktoll.h>

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

enum { THREADS = 8, ROUNDS = 20000 };

static struct timespec from_now(clockid_t clock, long nanoseconds)
{
    struct timespec at;
    clock_gettime(clock, &at);
    at.tv_nsec += nanoseconds;
    at.tv_sec += at.tv_nsec / 1000000000;
    at.tv_nsec %= 1000000000;
    return at;
}

static bool has_come(clockid_t clock, struct timespec at)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec > at.tv_sec || (now.tv_sec == at.tv_sec && now.tv_nsec >= at.tv_nsec);
}

static void in_threads(int count, void *(*what)(void *), void *with)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < count; i++)
        CHECK(pthread_create(&threads[i], NULL, what, with) == 0);
    for (int i = 0; i < count; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
}

/* One that nobody has initialised. */
static locktoll_mutex zeros;
static locktoll_mutex initialised = LOCKTOLL_MUTEX_INIT;

struct counter {
    locktoll_mutex *mutex;
    long count;
    long acquired; /* by an atomic, to compare */
};

/* Acquires in each of the four ways in turn. */
static void *count_up(void *shared)
{
    struct counter *counter = shared;
    for (int i = 0; i < ROUNDS; i++) {
        clockid_t clock = i % 8 < 4 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
        int result = 0;
        switch (i % 4) {
        case 0:
            result = locktoll_mutex_trylock(counter->mutex);
            CHECK(result == 0 || result == EBUSY);
            break;
        case 1: {
            struct timespec at = from_now(clock, i % 300 * 1000);
            result = locktoll_mutex_clocklock(counter->mutex, clock, &at);
            CHECK(result == 0 || (result == ETIMEDOUT && has_come(clock, at)));
            break;
        }
        default:
            locktoll_mutex_lock(counter->mutex);
        }
        if (result == 0) {
            counter->count++;
            locktoll_mutex_unlock(counter->mutex);
            __atomic_fetch_add(&counter->acquired, 1, __ATOMIC_RELAXED);
        }
    }
    return NULL;
}

static void counts_add_up(locktoll_mutex *mutex)
{
    struct counter counter = { mutex, 0, 0 };
    in_threads(THREADS, count_up, &counter);
    CHECK(counter.count == counter.acquired);
    CHECK(counter.count >= (long)THREADS * ROUNDS / 2);
    CHECK(!locktoll_mutex_is_locked(mutex));
}

static void *is_busy(void *mutex)
{
    CHECK(locktoll_mutex_trylock(mutex) == EBUSY);
    CHECK(locktoll_mutex_is_locked(mutex));
    const clockid_t clocks[] = { CLOCK_REALTIME, CLOCK_MONOTONIC };
    for (int i = 0; i < 2; i++) {
        struct timespec at = { 0, 0 };
        CHECK(locktoll_mutex_clocklock(mutex, clocks[i], &at) == ETIMEDOUT);
        at = from_now(clocks[i], 3000000);
        CHECK(locktoll_mutex_clocklock(mutex, clocks[i], &at) == ETIMEDOUT);
        CHECK(has_come(clocks[i], at));
    }
    return NULL;
}

static void tries_and_times(void)
{
    locktoll_mutex mutex = LOCKTOLL_MUTEX_INIT;
    struct timespec past = { 0, 0 };
    errno = 77;
    CHECK(locktoll_mutex_trylock(&mutex) == 0);
    in_threads(1, is_busy, &mutex);
    locktoll_mutex_unlock(&mutex);
    CHECK(locktoll_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &past) == 0);
    locktoll_mutex_unlock(&mutex);
    struct timespec wrong = { 0, 1000000000 };
    CHECK(locktoll_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &wrong) == EINVAL);
    wrong.tv_nsec = -1;
    CHECK(locktoll_mutex_clocklock(&mutex, CLOCK_REALTIME, &wrong) == EINVAL);
    CHECK(locktoll_mutex_clocklock(&mutex, CLOCK_PROCESS_CPUTIME_ID, &past) == EINVAL);
    CHECK(!locktoll_mutex_is_locked(&mutex));
    CHECK(errno == 77);
}

/* An object on its own page, which its last user frees at once: any later access faults. */
struct counted {
    locktoll_mutex mutex;
    int users;
};

enum { OBJECTS = 3000, USERS = 4 };

static struct counted *objects[OBJECTS];
static pthread_barrier_t all_there;

static void *use_all(void *unused)
{
    (void)unused;
    for (int i = 0; i < OBJECTS; i++) {
        if (i % 100 == 0)
            pthread_barrier_wait(&all_there);
        struct counted *object = objects[i];
        locktoll_mutex_lock(&object->mutex);
        if (i % 2 == 0) {
            /* So long that the others go to sleep, and the release has to wake one. */
            struct timespec a_while = { 0, i % 100 * 1000 };
            nanosleep(&a_while, NULL);
        }
        bool last = --object->users == 0;
        locktoll_mutex_unlock(&object->mutex);
        if (last)
            CHECK(munmap(object, 4096) == 0);
    }
    return NULL;
}

static void is_freed_by_its_last_user(void)
{
    for (int i = 0; i < OBJECTS; i++) {
        objects[i] = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        CHECK(objects[i] != MAP_FAILED);
        objects[i]->users = USERS;
    }
    pthread_barrier_init(&all_there, NULL, USERS);
    in_threads(USERS, use_all, NULL);
}

/* A process that forks while others wait, as the header advises. */
static locktoll_mutex forked = LOCKTOLL_MUTEX_INIT;
static locktoll_condition forked_condition = LOCKTOLL_CONDITION_INIT;
static int enough;

static void before(void)
{
    locktoll_mutex_lock(&forked);
}

static void in_parent(void)
{
    locktoll_mutex_unlock(&forked);
}

static void in_child(void)
{
    locktoll_mutex_after_fork_in_child(&forked);
    locktoll_condition_after_fork_in_child(&forked_condition);
    locktoll_mutex_unlock(&forked);
}

static void *keep_busy(void *unused)
{
    (void)unused;
    while (!__atomic_load_n(&enough, __ATOMIC_RELAXED)) {
        struct timespec at = from_now(CLOCK_MONOTONIC, 100000);
        locktoll_mutex_lock(&forked);
        locktoll_condition_clockwait(&forked_condition, &forked, CLOCK_MONOTONIC, &at);
        locktoll_mutex_unlock(&forked);
    }
    return NULL;
}

static void children_go_on(void)
{
    CHECK(pthread_atfork(before, in_parent, in_child) == 0);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        CHECK(pthread_create(&threads[i], NULL, keep_busy, NULL) == 0);
    for (int i = 0; i < 30; i++) {
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            struct counter counter = { &forked, 0, 0 };
            in_threads(2, count_up, &counter);
            CHECK(counter.count == counter.acquired);
            locktoll_condition_destroy(&forked_condition);
            _exit(0);
        }
        int status;
        CHECK(waitpid(child, &status, 0) == child && status == 0);
    }
    __atomic_store_n(&enough, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

#define ALLOW(number) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* The kernel ends the process for any call that the C library's own locks and threads would not make. */
static void give_calls_up(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        ALLOW(SYS_futex), ALLOW(SYS_exit), ALLOW(SYS_exit_group), ALLOW(SYS_mmap), ALLOW(SYS_munmap), ALLOW(SYS_mprotect),
        ALLOW(SYS_brk), ALLOW(SYS_clone), ALLOW(SYS_clone3), ALLOW(SYS_set_robust_list), ALLOW(SYS_rseq), ALLOW(SYS_madvise),
        ALLOW(SYS_rt_sigprocmask), ALLOW(SYS_rt_sigaction), ALLOW(SYS_clock_gettime), ALLOW(SYS_getrandom),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    };
    struct sock_fprog program = { sizeof filter / sizeof *filter, filter };
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

/* Many children, since most acquisitions wait for nobody. */
static void waits_by_futex_alone(void)
{
    for (int i = 0; i < 20; i++) {
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            locktoll_mutex mutex = LOCKTOLL_MUTEX_INIT;
            struct counter counter = { &mutex, 0, 0 };
            locktoll_wait_by_futex_alone();
            give_calls_up();
            in_threads(4, count_up, &counter);
            _exit(counter.count == counter.acquired ? 0 : 1);
        }
        int status;
        CHECK(waitpid(child, &status, 0) == child && status == 0);
    }
}

int main(void)
{
    waits_by_futex_alone();
    counts_add_up(&zeros);
    counts_add_up(&initialised);
    locktoll_mutex *allocated = calloc(1, sizeof *allocated);
    counts_add_up(allocated);
    free(allocated);
    tries_and_times();
    is_freed_by_its_last_user();
    children_go_on();
    locktoll_prepare();
    puts("done");
    return 0;
}

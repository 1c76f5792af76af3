// mutex_forks THREADS: forks while other threads hold mutexes and wait for them. The child goes on with what the forking
// thread held, with what was free, and with what handlers of pthread_atfork held around the fork; it starts threads of its
// own, and forks again. What another thread held stays held. Succeeds if all of it is so.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 4 };

static pthread_mutex_t held_plain = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t held_recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t held_checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t contended = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t untouched = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t others = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t around = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t replaced_in_child = PTHREAD_MUTEX_INITIALIZER;
static volatile long guarded;
static int stop;
static long threads;
static pthread_barrier_t others_is_held;

#define CHECK(condition)                                                          \
    do {                                                                          \
        if (!(condition)) {                                                       \
            printf("%d: line %d: not so: %s\n", getpid(), __LINE__, #condition); \
            fflush(stdout);                                                       \
            _exit(1);                                                             \
        }                                                                         \
    } while (0)

static void prepare(void) {
    pthread_mutex_lock(&around);
    pthread_mutex_lock(&replaced_in_child);
}
static void in_parent(void) {
    pthread_mutex_unlock(&replaced_in_child);
    pthread_mutex_unlock(&around);
}
static void in_child(void) {
    pthread_mutex_init(&replaced_in_child, NULL);
    pthread_mutex_unlock(&around);
}

// Waits for, holds and releases what the main thread holds, all the time.
static void *contend(void *unused) {
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
        pthread_mutex_lock(&contended);
        guarded++;
        pthread_mutex_unlock(&contended);
        pthread_mutex_lock(&around);
        guarded += 0;
        pthread_mutex_unlock(&around);
        pthread_mutex_lock(&held_recursive);
        pthread_mutex_unlock(&held_recursive);
        // The child has work to do.
        usleep(200);
    }
    return unused;
}

static void *hold(void *unused) {
    pthread_mutex_lock(&others);
    pthread_barrier_wait(&others_is_held);
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) usleep(1000);
    pthread_mutex_unlock(&others);
    return unused;
}

static volatile long childs_count;

static void *count_in_child(void *mutex) {
    for (int i = 0; i < 200; i++) {
        pthread_mutex_lock(mutex);
        childs_count++;
        if (i % 100 == 50) sched_yield();
        pthread_mutex_unlock(mutex);
    }
    return NULL;
}

static void works(pthread_mutex_t *mutex) {
    pthread_t ids[3];
    int count = threads < 3 ? threads : 3;
    childs_count = 0;
    for (int i = 0; i < count; i++) pthread_create(&ids[i], NULL, count_in_child, mutex);
    for (int i = 0; i < count; i++) pthread_join(ids[i], NULL);
    CHECK(childs_count == count * 200);
}

static void *is_not_owner(void *unused) {
    CHECK(pthread_mutex_unlock(&held_checking) == EPERM);
    CHECK(pthread_mutex_trylock(&held_recursive) == EBUSY);
    CHECK(pthread_mutex_unlock(&held_recursive) == EPERM);
    return unused;
}

// `depth`: how many forks lie behind. The C library, bare, takes the child of a fork for another owner: then it is not asked.
static void child(int depth, int knows_owners) {
    // Held over the fork by this very thread.
    CHECK(pthread_mutex_trylock(&held_plain) == EBUSY);
    if (depth == 0) {
        pid_t grandchild = fork();
        if (grandchild == 0) child(1, knows_owners);
        int status;
        CHECK(waitpid(grandchild, &status, 0) == grandchild && status == 0);
        CHECK(pthread_mutex_trylock(&held_plain) == EBUSY);
    }
    if (knows_owners) {
        CHECK(pthread_mutex_lock(&held_checking) == EDEADLK);
        CHECK(pthread_mutex_lock(&held_recursive) == 0);
        pthread_t thread;
        pthread_create(&thread, NULL, is_not_owner, NULL);
        pthread_join(thread, NULL);
        CHECK(pthread_mutex_unlock(&held_checking) == 0);
        CHECK(pthread_mutex_unlock(&held_checking) == EPERM);
        for (int i = 0; i < 3; i++) CHECK(pthread_mutex_unlock(&held_recursive) == 0);
        CHECK(pthread_mutex_unlock(&held_recursive) == EPERM);
        works(&held_recursive);
        works(&held_checking);
    }
    CHECK(pthread_mutex_unlock(&held_plain) == 0);
    works(&held_plain);
    CHECK(pthread_mutex_unlock(&contended) == 0);
    works(&contended);
    works(&untouched);
    works(&around);
    works(&replaced_in_child);
    // Whoever held it is not here.
    CHECK(pthread_mutex_trylock(&others) == EBUSY);
    struct timespec past = {1, 0};
    CHECK(pthread_mutex_timedlock(&others, &past) == ETIMEDOUT);
    _exit(0);
}

static pid_t fork_somehow(int round) {
#ifdef SYS_fork
    // Past every wrapper and every handler: what clone without shared memory does, too.
    if (round % 4 == 3) {
        prepare();
        pid_t pid = syscall(SYS_fork);
        if (pid == 0) in_child();
        else in_parent();
        return pid;
    }
#endif
    (void)round;
    return fork();
}

int main(int argc, char **argv) {
    threads = argc > 1 ? atol(argv[1]) : 4;
    // A gate has no room in mutexes that know their owner: they are the C library's, as in a pass-through.
    const char *lock = getenv("LOCKTOLL_LOCK");
    int knows_owners = lock && strncmp(lock, "pass", 4) != 0 && strncmp(lock, "gate", 4) != 0;
    pthread_t ids[64], holder;
    if (threads < 1 || threads > 64) return 2;
    pthread_atfork(prepare, in_parent, in_child);
    pthread_barrier_init(&others_is_held, NULL, 2);
    pthread_create(&holder, NULL, hold, NULL);
    pthread_barrier_wait(&others_is_held);
    long contenders = (threads + 1) / 2;
    for (long i = 0; i < contenders; i++) pthread_create(&ids[i], NULL, contend, NULL);
    for (int round = 0; round < ROUNDS; round++) {
        pthread_mutex_lock(&held_plain);
        for (int i = 0; i < 2; i++) pthread_mutex_lock(&held_recursive);
        pthread_mutex_lock(&held_checking);
        pthread_mutex_lock(&contended);
        // Some of the others come to wait.
        usleep(2000);
        pid_t pid = fork_somehow(round);
        if (pid == 0) child(0, knows_owners);
        pthread_mutex_unlock(&contended);
        CHECK(pthread_mutex_unlock(&held_checking) == 0);
        for (int i = 0; i < 2; i++) CHECK(pthread_mutex_unlock(&held_recursive) == 0);
        CHECK(pthread_mutex_unlock(&held_plain) == 0);
        int status;
        CHECK(waitpid(pid, &status, 0) == pid && status == 0);
        // A child that shares the memory until it ends touches what is the parent's.
        pid_t shared = vfork();
        if (shared == 0) {
            pthread_mutex_lock(&untouched);
            pthread_mutex_unlock(&untouched);
            _exit(0);
        }
        CHECK(waitpid(shared, &status, 0) == shared && status == 0);
    }
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    for (long i = 0; i < contenders; i++) pthread_join(ids[i], NULL);
    pthread_join(holder, NULL);
    return 0;
}

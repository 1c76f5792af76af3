// As mutex_only.c, with reader-writer locks and spin locks: six of the ones, three of the others.
//
//     others_only tell     prints the places, one a line, and how many locks of each kind are made there
//     others_only run      uses all of them from several threads, and in a forked child; succeeds if no count is lost
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOCKS = 6, SPINS = 3, THREADS = 3, ROUNDS = 200 };

// Written out, so that the addresses to which their calls return have names.
#if defined __x86_64__
#define CALLER(name, callee)                                                     \
    __asm__(".text\n.globl " #name "\n" #name ":\n sub $8, %rsp\n call " #callee "@PLT\n" \
            ".globl " #name "_returns\n" #name "_returns:\n add $8, %rsp\n ret\n")
#elif defined __aarch64__
#define CALLER(name, callee)                                                     \
    __asm__(".text\n.globl " #name "\n" #name ":\n stp x29, x30, [sp, #-16]!\n bl " #callee "\n" \
            ".globl " #name "_returns\n" #name "_returns:\n ldp x29, x30, [sp], #16\n ret\n")
#endif
CALLER(init_it, pthread_rwlock_init);
CALLER(read_it, pthread_rwlock_rdlock);
CALLER(spin_it, pthread_spin_init);
int init_it(pthread_rwlock_t *, const pthread_rwlockattr_t *);
int read_it(pthread_rwlock_t *);
int spin_it(pthread_spinlock_t *, int);
extern char init_it_returns[], read_it_returns[], spin_it_returns[], __executable_start[];

static pthread_rwlock_t asked = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t others[LOCKS - 1] = {PTHREAD_RWLOCK_INITIALIZER};
static pthread_rwlock_t *locks[LOCKS] = {&asked};
static pthread_spinlock_t spins[SPINS];
static volatile long counts[LOCKS + SPINS];
static int broken;

static void say(const char *what, const volatile void *place, int rwlocks, int spinlocks) {
    char path[4096] = "";
    if (readlink("/proc/self/exe", path, sizeof path - 1) < 0) exit(1);
    printf("%s:%s:%#lx %d %d\n", what, path, (long)((const char *)place - __executable_start), rwlocks, spinlocks);
}

static int write_lock(pthread_rwlock_t *lock, int round) {
    struct timespec time;
    switch (round % 4) {
    case 0: return pthread_rwlock_wrlock(lock);
    case 1:
        while (pthread_rwlock_trywrlock(lock)) sched_yield();
        return 0;
    case 2:
        clock_gettime(CLOCK_REALTIME, &time);
        time.tv_sec += 1000;
        return pthread_rwlock_timedwrlock(lock, &time);
    default:
        clock_gettime(CLOCK_MONOTONIC, &time);
        time.tv_sec += 1000;
        return pthread_rwlock_clockwrlock(lock, CLOCK_MONOTONIC, &time);
    }
}

static void *work(void *unused) {
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < LOCKS; i++) {
            if (write_lock(locks[i], round)) __atomic_fetch_add(&broken, 1, __ATOMIC_RELAXED);
            counts[i]++;
            if (round % 64 == 0) sched_yield();
            if (pthread_rwlock_unlock(locks[i])) __atomic_fetch_add(&broken, 1, __ATOMIC_RELAXED);
            if (pthread_rwlock_rdlock(locks[i])) __atomic_fetch_add(&broken, 1, __ATOMIC_RELAXED);
            if (pthread_rwlock_unlock(locks[i])) __atomic_fetch_add(&broken, 1, __ATOMIC_RELAXED);
        }
        for (int i = 0; i < SPINS; i++) {
            while (pthread_spin_trylock(&spins[i])) sched_yield();
            counts[LOCKS + i]++;
            if (pthread_spin_unlock(&spins[i])) __atomic_fetch_add(&broken, 1, __ATOMIC_RELAXED);
        }
    }
    return unused;
}

static int team(void) {
    pthread_t ids[THREADS];
    memset((void *)counts, 0, sizeof counts);
    for (int i = 0; i < THREADS; i++) pthread_create(&ids[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++) pthread_join(ids[i], NULL);
    for (int i = 0; i < LOCKS + SPINS; i++)
        if (counts[i] != THREADS * ROUNDS) return 1;
    return broken != 0;
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "tell") == 0) {
        say("object", &asked, 1, 0);
        say("site", init_it_returns, 2, 0);
        say("site", read_it_returns, 2, 0);
        say("site", spin_it_returns, 0, 2);
        say("object", &spins[2], 0, 1);
        return 0;
    }
    for (int i = 1; i < LOCKS; i++) locks[i] = &others[i - 1];
    // 1 is static, and first acquired to be written; 2 and 3 are initialised, 4 and 5 first acquired to be read.
    for (int i = 2; i < 4; i++) init_it(locks[i], NULL);
    for (int i = 2; i < LOCKS; i++)
        if (read_it(locks[i]) || pthread_rwlock_unlock(locks[i])) return 1;
    for (int i = 0; i < 2; i++) spin_it(&spins[i], PTHREAD_PROCESS_PRIVATE);
    pthread_spin_init(&spins[2], PTHREAD_PROCESS_PRIVATE);
    if (team()) return 1;
    for (int i = 0; i < LOCKS; i++) pthread_rwlock_rdlock(locks[i]);
    pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < LOCKS; i++)
            if (pthread_rwlock_unlock(locks[i])) _exit(1);
        _exit(team());
    }
    for (int i = 0; i < LOCKS; i++) pthread_rwlock_unlock(locks[i]);
    int status;
    if (waitpid(child, &status, 0) != child || status != 0) return 1;
    for (int i = 0; i < LOCKS; i++)
        if (pthread_rwlock_destroy(locks[i])) return 1;
    return 0;
}

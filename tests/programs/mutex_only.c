// Twelve mutexes, some static, some initialised or first acquired by calls whose return addresses are known.
//
//     mutex_only tell     prints the places, one a line, and how many mutexes are made there
//     mutex_only run      uses all of them from several threads, and in a forked child; succeeds if no count is lost
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

enum { ALL = 12, THREADS = 4, ROUNDS = 300 };

// int init_it(pthread_mutex_t *, const pthread_mutexattr_t *), int lock_it(pthread_mutex_t *): written out, so that the
// addresses to which their calls return have names.
#if defined __x86_64__
#define CALLER(name, callee)                                                     \
    __asm__(".text\n.globl " #name "\n" #name ":\n sub $8, %rsp\n call " #callee "@PLT\n" \
            ".globl " #name "_returns\n" #name "_returns:\n add $8, %rsp\n ret\n")
#elif defined __aarch64__
#define CALLER(name, callee)                                                     \
    __asm__(".text\n.globl " #name "\n" #name ":\n stp x29, x30, [sp, #-16]!\n bl " #callee "\n" \
            ".globl " #name "_returns\n" #name "_returns:\n ldp x29, x30, [sp], #16\n ret\n")
#endif
CALLER(init_it, pthread_mutex_init);
CALLER(lock_it, pthread_mutex_lock);
int init_it(pthread_mutex_t *, const pthread_mutexattr_t *);
int lock_it(pthread_mutex_t *);
extern char init_it_returns[], lock_it_returns[], __executable_start[];

static pthread_mutex_t asked = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t *all[ALL] = {&asked, &other, &adaptive};
static mtx_t c11;
static volatile long counts[ALL];

static void say(const char *what, const void *place, int mutexes) {
    char path[4096] = "";
    if (readlink("/proc/self/exe", path, sizeof path - 1) < 0) exit(1);
    printf("%s:%s:%#lx %d\n", what, path, (long)((const char *)place - __executable_start), mutexes);
}

static void *work(void *unused) {
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < ALL; i++) {
            while (round % 3 == 0 ? pthread_mutex_trylock(all[i]) : pthread_mutex_lock(all[i])) sched_yield();
            counts[i]++;
            if (round % 64 == 0) sched_yield();
            if (pthread_mutex_unlock(all[i])) abort();
        }
    }
    return unused;
}

static int team(void) {
    pthread_t ids[THREADS];
    memset((void *)counts, 0, sizeof counts);
    for (int i = 0; i < THREADS; i++) pthread_create(&ids[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++) pthread_join(ids[i], NULL);
    for (int i = 0; i < ALL; i++)
        if (counts[i] != THREADS * ROUNDS) return 1;
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "tell") == 0) {
        say("object", &asked, 1);
        say("object", &adaptive, 1);
        // Two of the four are initialised again in the child.
        say("site", init_it_returns, 6);
        say("site", lock_it_returns, 2);
        return 0;
    }
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    for (int i = 3; i < ALL; i++) {
        if (i == 11) {
            if (mtx_init(&c11, mtx_plain) != thrd_success) return 1;
            all[i] = (pthread_mutex_t *)&c11;
            continue;
        }
        all[i] = calloc(1, sizeof *all[i]);
        if (i < 7) init_it(all[i], i == 6 ? &recursive : NULL);
        else if (i < 9) pthread_mutex_init(all[i], i == 8 ? &recursive : NULL);
    }
    // 9 and 10 are zeros that nobody has initialised.
    for (int i = 3; i < ALL - 1; i++) {
        if (lock_it(all[i]) || pthread_mutex_unlock(all[i])) return 1;
    }
    if (team()) return 1;
    for (int i = 0; i < ALL; i++) pthread_mutex_lock(all[i]);
    pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < ALL; i++) {
            // Of recursive ones, the C library takes the child for another owner.
            if (i == 6 || i == 8) init_it(all[i], NULL);
            else if (pthread_mutex_unlock(all[i])) _exit(1);
        }
        _exit(team());
    }
    for (int i = 0; i < ALL; i++) pthread_mutex_unlock(all[i]);
    int status;
    if (waitpid(child, &status, 0) != child || status != 0) return 1;
    for (int i = 0; i < ALL; i++)
        if (pthread_mutex_destroy(all[i])) return 1;
    // Memory that is used again is decided upon again.
    memset(all[3], 0, sizeof *all[3]);
    return pthread_mutex_lock(all[3]) || pthread_mutex_unlock(all[3]);
}

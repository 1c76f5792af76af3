// A signal handler that jumps out of what it interrupted (siglongjmp), as old programs do to give up waiting: out of a wait
// for a semaphore, a condition, a mutex and a system call, and out of whatever the recorder does. Afterwards everything
// must work as before. The locks that were given up are not used again, as is the custom.
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

static sigjmp_buf back;
static volatile sig_atomic_t may_jump;
static pthread_mutex_t good = PTHREAD_MUTEX_INITIALIZER;
static long shared;

static void jump(int signal) {
    (void)signal;
    if (may_jump) {
        may_jump = 0;
        siglongjmp(back, 1);
    }
}

static void after_ns(long ns) {
    struct itimerval soon = {{0, 500}, {0, ns / 1000 + 1}};
    setitimer(ITIMER_REAL, &soon, NULL);
}

static void *hold(void *mutex) {
    pthread_mutex_lock(mutex);
    pause();
    return NULL;
}

static void *count(void *unused) {
    for (int i = 0; i < 1000; i++) {
        pthread_mutex_lock(&good);
        shared++;
        pthread_mutex_unlock(&good);
    }
    return unused;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 50;
    struct sigaction action = {.sa_handler = jump};
    sigaction(SIGALRM, &action, NULL);
    sigset_t alarm_only;
    sigemptyset(&alarm_only);
    sigaddset(&alarm_only, SIGALRM);
    volatile int jumps = 0;
    for (volatile int i = 0; i < rounds; i++) {
        // Given up and left behind.
        sem_t *semaphore = malloc(sizeof *semaphore);
        pthread_cond_t *condition = malloc(sizeof *condition);
        pthread_mutex_t *mutex = malloc(sizeof *mutex), *held = malloc(sizeof *held);
        sem_init(semaphore, 0, 0);
        pthread_cond_init(condition, NULL);
        pthread_mutex_init(mutex, NULL);
        pthread_mutex_init(held, NULL);
        pthread_t holder;
        if (i % 5 == 2) {
            // Signals are for this thread alone.
            pthread_sigmask(SIG_BLOCK, &alarm_only, NULL);
            pthread_create(&holder, NULL, hold, held);
            pthread_sigmask(SIG_UNBLOCK, &alarm_only, NULL);
            while (pthread_mutex_trylock(held) == 0) {
                pthread_mutex_unlock(held);
                usleep(100);
            }
        }
        if (sigsetjmp(back, 1) == 0) {
            may_jump = 1;
            after_ns(200000 + i * 1000);
            switch (i % 5) {
            case 0: for (;;) sem_wait(semaphore);
            case 1: pthread_mutex_lock(mutex); for (;;) pthread_cond_wait(condition, mutex);
            case 2: for (;;) pthread_mutex_lock(held);
            case 3: pthread_mutex_lock(mutex); for (;;) pause();
            case 4:
                // Anywhere in the recorder; the C library's own spin lock has no state to be left behind.
                for (;;) {
                    pthread_spinlock_t spin;
                    pthread_spin_init(&spin, 0);
                    pthread_spin_lock(&spin);
                    pthread_spin_unlock(&spin);
                }
            }
        }
        jumps++;
    }
    struct itimerval never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &never, NULL);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, count, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    printf("jumps %d, shared %ld\n", jumps, shared);
    fflush(stdout);
    _exit(0);
}

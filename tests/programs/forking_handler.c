// A signal handler forks while its thread waits for a lock with a deadline, and returns in parent and child. Both give
// the lock up at the deadline and then acquire another.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static volatile sig_atomic_t child;
static sigset_t alarm_only;

static void split(int number) {
    (void)number;
    pid_t made = fork();
    if (made >= 0)
        child = made;
}

static void *wait_for_it(void *unused) {
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 1;
    signal(SIGALRM, split);
    pthread_sigmask(SIG_UNBLOCK, &alarm_only, NULL);
    ualarm(100000, 0);
    int result = pthread_mutex_timedlock(&held, &deadline);
    pthread_mutex_lock(&other);
    pthread_mutex_unlock(&other);
    if (child == 0)
        exit(result);
    int status = 0;
    waitpid(child, &status, 0);
    printf("parent %d, child %x\n", result, (unsigned)status);
    return unused;
}

int main(void) {
    sigemptyset(&alarm_only);
    sigaddset(&alarm_only, SIGALRM);
    // The waiting thread alone takes the signal.
    pthread_sigmask(SIG_BLOCK, &alarm_only, NULL);
    pthread_mutex_lock(&held);
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_it, NULL);
    pthread_join(thread, NULL);
    pthread_mutex_unlock(&held);
    return 0;
}

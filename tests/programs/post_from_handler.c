// A signal handler posts a semaphore that the main thread waits for, POSTS times: sem_post is the one function of
// synchronisation that POSIX allows there. It may interrupt the recorder at any place.
//
// Answer: POSTS acquisitions of `posted`, as a signal and not as a lock; `guard` is taken as often as is printed.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

static sem_t posted;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static volatile sig_atomic_t left;

static void post(int signal) {
    (void)signal;
    if (left > 0) {
        left--;
        sem_post(&posted);
    }
}

int main(int argc, char **argv) {
    int posts = argc > 1 ? atoi(argv[1]) : 200, taken = 0, errors = 0;
    long guarded = 0;
    sem_init(&posted, 0, 0);
    struct sigaction action = {.sa_handler = post};
    sigaction(SIGALRM, &action, NULL);
    left = posts;
    struct itimerval often = {{0, 300}, {0, 300}}, never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &often, NULL);
    while (taken < posts) {
        for (int i = 0; i < 50; i++, guarded++) {
            pthread_mutex_lock(&guard);
            pthread_mutex_unlock(&guard);
        }
        if (sem_wait(&posted) == 0)
            taken++;
        else if (errno != EINTR)
            errors++;
    }
    setitimer(ITIMER_REAL, &never, NULL);
    printf("taken %d, errors %d\n", taken, errors);
    fprintf(stderr, "%ld\n", guarded);
    return 0;
}

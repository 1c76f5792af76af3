// A signal handler acquires a mutex of its own at a site of its own every 100 us, while main acquires LOCKS mutexes for
// the first time. POSIX does not allow it, and programs do it.
//
// Answer: LOCKS locks with one acquisition each, one lock with as many as are printed.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

static pthread_mutex_t in_handler = PTHREAD_MUTEX_INITIALIZER;
static volatile long handled;

static void handle(int signal) {
    (void)signal;
    pthread_mutex_lock(&in_handler);
    handled++;
    pthread_mutex_unlock(&in_handler);
}

int main(int argc, char **argv) {
    long locks = argc > 1 ? atol(argv[1]) : 100000;
    pthread_mutex_t *mutexes = calloc(locks, sizeof *mutexes);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handle;
    sigaction(SIGALRM, &action, NULL);
    struct itimerval every = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &every, NULL);
    for (long i = 0; i < locks; i++) {
        pthread_mutex_lock(&mutexes[i]);
        pthread_mutex_unlock(&mutexes[i]);
    }
    setitimer(ITIMER_REAL, &never, NULL);
    printf("%ld\n", handled);
    return 0;
}

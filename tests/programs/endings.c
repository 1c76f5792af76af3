/* Takes `ending_lock` 10 times in before_the_end, then ends as asked.
 *
 *     endings exit STATUS     return from main
 *     endings _exit STATUS    without exit handlers
 *     endings kill SIGNAL     by a signal to itself
 *     endings wait            says "ready", then waits to be ended; a signal with a handler
 *                             (TERM, HUP, USR1) is named, and ends it with status 3 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t ending_lock = PTHREAD_MUTEX_INITIALIZER;
static volatile sig_atomic_t seen;

__attribute__((noinline)) static void before_the_end(void) {
    for (int turn = 0; turn < 10; turn++) {
        pthread_mutex_lock(&ending_lock);
        pthread_mutex_unlock(&ending_lock);
    }
}

static void remember(int number) { seen = number; }

int main(int argc, char **argv) {
    before_the_end();
    if (argc == 3 && strcmp(argv[1], "exit") == 0)
        return atoi(argv[2]);
    if (argc == 3 && strcmp(argv[1], "_exit") == 0)
        _exit(atoi(argv[2]));
    if (argc == 3 && strcmp(argv[1], "kill") == 0) {
        kill(getpid(), atoi(argv[2]));
        pause();
    }
    if (argc == 2 && strcmp(argv[1], "wait") == 0) {
        /* A test that failed must not leave this behind for ever. */
        alarm(60);
        sigset_t handled, before;
        sigemptyset(&handled);
        int numbers[] = {SIGTERM, SIGHUP, SIGUSR1};
        for (int i = 0; i < 3; i++) {
            sigaddset(&handled, numbers[i]);
            signal(numbers[i], remember);
        }
        /* Blocked but for the waiting itself, so that no signal is lost before it. */
        sigprocmask(SIG_BLOCK, &handled, &before);
        printf("ready %d\n", getpid());
        fflush(stdout);
        while (!seen)
            sigsuspend(&before);
        printf("signal %d\n", (int)seen);
        return 3;
    }
    fprintf(stderr, "usage: endings exit STATUS | _exit STATUS | kill SIGNAL | wait\n");
    return 2;
}

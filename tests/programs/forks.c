// Forks processes that take locks and end: for each line, a number, as many as that, one after the other, and then says "done". Each child
// acquires `forks_lock` ROUNDS times, a mutex that its parent had made and used once, and one that it makes itself. Every second child
// has a child of its own that does the same and ends first; every third is killed.
//
// Answer for each process: ROUNDS acquisitions of each of the three. Ends with its input.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 5 };

static pthread_mutex_t forks_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t *inherited;

__attribute__((noinline)) static pthread_mutex_t *made(void) {
    pthread_mutex_t *mutex = malloc(sizeof *mutex);
    pthread_mutex_init(mutex, NULL);
    return mutex;
}

__attribute__((noinline)) static pthread_mutex_t *made_by_child(void) {
    pthread_mutex_t *mutex = malloc(sizeof *mutex);
    pthread_mutex_init(mutex, NULL);
    return mutex;
}

static void rounds(pthread_mutex_t *mutex) {
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(mutex);
        pthread_mutex_unlock(mutex);
    }
}

static void work(void) {
    rounds(&forks_lock);
    rounds(inherited);
    pthread_mutex_t *own = made_by_child();
    rounds(own);
}

static void child(int number, int depth) {
    pid_t pid = fork();
    if (!pid) {
        work();
        if (number % 2 && depth < 2) child(number, depth + 1);
        if (number % 3 == 0) kill(getpid(), SIGKILL);
        _exit(0);
    }
    waitpid(pid, NULL, 0);
}

int main(void) {
    int children;
    inherited = made();
    pthread_mutex_lock(inherited);
    pthread_mutex_unlock(inherited);
    puts("ready");
    fflush(stdout);
    while (scanf("%d", &children) == 1) {
        for (int i = 0; i < children; i++) child(i, 1);
        puts("done");
        fflush(stdout);
    }
}

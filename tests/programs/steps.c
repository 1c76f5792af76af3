// Works in steps, each when a line comes, and says "done" after each. A step: two threads acquire `steps_lock` ROUNDS times each, one of
// them while the other holds it once, and BORN mutexes are made, acquired TAKEN times and destroyed, one after the other, at addresses that
// come again. The line "fork": the same in a child that ends before the answer. The line "thread": in a thread that ends. Ends with its input.
//
// Answer for each step: 2 * ROUNDS acquisitions of `steps_lock`, at least one of them contended, and BORN * TAKEN of the others.
#include "measure.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 500, BORN = 100, TAKEN = 3 };

static pthread_mutex_t steps_lock = PTHREAD_MUTEX_INITIALIZER;
static struct coming coming;

static void *other(void *nothing) {
    come(&coming);
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&steps_lock);
        pthread_mutex_unlock(&steps_lock);
    }
    return nothing;
}

static void two_threads(void) {
    pthread_t thread;
    pthread_mutex_lock(&steps_lock);
    pthread_create(&thread, NULL, other, NULL);
    await_waiter(&coming);
    pthread_mutex_unlock(&steps_lock);
    for (int i = 1; i < ROUNDS; i++) {
        pthread_mutex_lock(&steps_lock);
        pthread_mutex_unlock(&steps_lock);
    }
    pthread_join(thread, NULL);
}

__attribute__((noinline)) static void born_and_gone(void) {
    pthread_mutex_t *mutex = malloc(sizeof *mutex);
    pthread_mutex_init(mutex, NULL);
    for (int i = 0; i < TAKEN; i++) {
        pthread_mutex_lock(mutex);
        pthread_mutex_unlock(mutex);
    }
    pthread_mutex_destroy(mutex);
    free(mutex);
}

static void *step(void *nothing) {
    two_threads();
    for (int i = 0; i < BORN; i++) born_and_gone();
    return nothing;
}

int main(void) {
    char line[32];
    puts("ready");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        if (!strcmp(line, "fork\n")) {
            pid_t child = fork();
            if (!child) {
                step(NULL);
                exit(0);
            }
            waitpid(child, NULL, 0);
        } else if (!strcmp(line, "thread\n")) {
            pthread_t thread;
            pthread_create(&thread, NULL, step, NULL);
            pthread_join(thread, NULL);
        } else {
            step(NULL);
        }
        puts("done");
        fflush(stdout);
    }
}

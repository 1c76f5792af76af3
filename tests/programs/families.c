// Makes a child in the way named by the argument: fork, fork-thread (from a thread, while another holds locks), vfork,
// spawn, exec, exec-thread (from a thread, while main waits for a mutex and another thread takes locks). The parent
// acquires a mutex 100 times before and 11 times after; a forked child 7 times.
#define _GNU_SOURCE
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, busy = PTHREAD_MUTEX_INITIALIZER;
static volatile int done, went_round;

static void acquire(int times) {
    for (int i = 0; i < times; i++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
}

static void *keep_busy(void *unused) {
    while (!done) {
        pthread_mutex_lock(&busy);
        pthread_mutex_unlock(&busy);
        went_round = 1;
    }
    return unused;
}

static int wait_for(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return status;
}

static void *fork_here(void *unused) {
    pid_t child = fork();
    if (child == 0) {
        acquire(7);
        exit(3);
    }
    printf("child %d\n", WEXITSTATUS(wait_for(child)));
    return unused;
}

static char *again[3];

static void *exec_here(void *unused) {
    usleep(10000);
    execv("/proc/self/exe", again);
    return unused;
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "fork";
    again[0] = argv[0];
    again[1] = "leaf";
    if (strcmp(way, "leaf") == 0) {
        acquire(5);
        return 4;
    }
    acquire(100);
    if (strcmp(way, "fork") == 0) {
        fork_here(NULL);
    } else if (strcmp(way, "fork-thread") == 0) {
        pthread_t other, forking;
        pthread_create(&other, NULL, keep_busy, NULL);
        pthread_create(&forking, NULL, fork_here, NULL);
        pthread_join(forking, NULL);
        done = 1;
        pthread_join(other, NULL);
    } else if (strcmp(way, "vfork") == 0) {
        pid_t child = vfork();
        if (child == 0) {
            execv("/proc/self/exe", again);
            _exit(127);
        }
        printf("child %d\n", WEXITSTATUS(wait_for(child)));
    } else if (strcmp(way, "spawn") == 0) {
        pid_t child = 0;
        posix_spawn(&child, "/proc/self/exe", NULL, NULL, again, environ);
        printf("child %d\n", WEXITSTATUS(wait_for(child)));
    } else if (strcmp(way, "exec-thread") == 0) {
        static pthread_mutex_t never = PTHREAD_MUTEX_INITIALIZER;
        pthread_t other, executing;
        pthread_create(&other, NULL, keep_busy, NULL);
        while (!went_round)
            usleep(1000);
        pthread_create(&executing, NULL, exec_here, NULL);
        pthread_mutex_lock(&never);
        pthread_mutex_lock(&never);
    } else if (strcmp(way, "exec") == 0) {
        fflush(stdout);
        execv("/proc/self/exe", again);
    }
    acquire(11);
    return 0;
}

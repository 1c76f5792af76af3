// Acquires a mutex 1000 times in each of two threads, then ends in the way named by the argument: return, exit, _exit,
// abort, kill (SIGKILL), segv, held (returns with the mutex locked), waiting (SIGKILL while a thread waits for it),
// quick_exit (with a handler that acquires it once more), alarm (SIGALRM), exit-waited-for (exit while a thread waits for
// what the exiting one holds), exit-elsewhere (another thread calls exit while main waits for it).
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *acquire(void *unused) {
    for (int i = 0; i < 1000; i++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void *wait_for_ever(void *unused) {
    pthread_mutex_lock(&mutex);
    return unused;
}

static void at_quick_exit_acquire(void) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

static void *exit_here(void *unused) {
    (void)unused;
    exit(8);
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "return";
    pthread_t thread;
    pthread_create(&thread, NULL, acquire, NULL);
    pthread_join(thread, NULL);
    acquire(NULL);
    puts("acquired");
    fflush(stdout);
    if (strcmp(way, "exit") == 0) exit(5);
    if (strcmp(way, "_exit") == 0) _exit(6);
    if (strcmp(way, "abort") == 0) abort();
    if (strcmp(way, "kill") == 0) kill(getpid(), SIGKILL);
    if (strcmp(way, "segv") == 0) kill(getpid(), SIGSEGV);
    if (strcmp(way, "held") == 0) pthread_mutex_lock(&mutex);
    if (strcmp(way, "alarm") == 0) kill(getpid(), SIGALRM);
    if (strcmp(way, "quick_exit") == 0) {
        at_quick_exit(at_quick_exit_acquire);
        quick_exit(7);
    }
    if (strcmp(way, "exit-waited-for") == 0) {
        pthread_mutex_lock(&mutex);
        pthread_create(&thread, NULL, wait_for_ever, NULL);
        usleep(20000);
        exit(9);
    }
    if (strcmp(way, "exit-elsewhere") == 0) {
        pthread_create(&thread, NULL, exit_here, NULL);
        pthread_join(thread, NULL);
    }
    if (strcmp(way, "waiting") == 0) {
        pthread_mutex_lock(&mutex);
        pthread_create(&thread, NULL, wait_for_ever, NULL);
        usleep(100000);
        kill(getpid(), SIGKILL);
    }
    return 0;
}

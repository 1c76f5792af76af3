// What may happen to a program on other locks, by its arguments. On which lock it runs it knows from its environment, so that
// a lock that breaks it needs no broken lock.
//   count THREADS ROUNDS   counts under a mutex and prints the sum; ends with 1 if it is not what it must be
//   signal LOCK            as count 2 1000, but ends itself by SIGSEGV on LOCK
//   hang LOCK              as count 2 1000, but never ends on LOCK
//   code LOCK CODE         as count 2 1000, but ends with CODE on LOCK
//   exit CODE              ends with CODE
//   leave NAME             starts a process in a session of its own that sleeps under NAME, and ends
//   input                  prints how many bytes its standard input has
//   clean                  starts itself again, without an environment, as count 2 1000
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t counter_lock = PTHREAD_MUTEX_INITIALIZER;
static long counter;
static long rounds;

static void *count(void *unused) {
    for (long round = 0; round < rounds; round++) {
        pthread_mutex_lock(&counter_lock);
        counter++;
        pthread_mutex_unlock(&counter_lock);
    }
    return unused;
}

static int count_by(long threads, long each) {
    pthread_t ids[64];
    rounds = each;
    for (long i = 0; i < threads; i++) pthread_create(&ids[i], NULL, count, NULL);
    for (long i = 0; i < threads; i++) pthread_join(ids[i], NULL);
    printf("counted %ld\n", counter);
    fprintf(stderr, "by %ld threads\n", threads);
    return counter != threads * each;
}

static int is_on(const char *lock) {
    const char *chosen = getenv("LOCKTOLL_LOCK");
    return chosen && strcmp(chosen, lock) == 0;
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "count") && argc == 4) return count_by(atol(argv[2]), atol(argv[3]));
    if (!strcmp(what, "exit") && argc == 3) return atoi(argv[2]);
    if (!strcmp(what, "input")) {
        long bytes = 0;
        while (getchar() != EOF) bytes++;
        printf("read %ld\n", bytes);
        return 0;
    }
    if (!strcmp(what, "leave") && argc == 3) {
        if (fork() == 0) {
            setsid();
            execlp("sleep", argv[2], "1000", NULL);
            _exit(127);
        }
        return count_by(2, 1000);
    }
    if (!strcmp(what, "clean")) {
        char *none[] = {NULL};
        execle("/proc/self/exe", "tried", "count", "2", "1000", NULL, none);
        return 127;
    }
    if (argc >= 3 && is_on(argv[2])) {
        fprintf(stderr, "first words\n");
        fprintf(stderr, "last words\n");
        if (!strcmp(what, "signal")) {
            signal(SIGSEGV, SIG_DFL);
            raise(SIGSEGV);
        }
        if (!strcmp(what, "hang")) pause();
        if (!strcmp(what, "code")) return atoi(argv[3]);
    }
    return count_by(2, 1000);
}

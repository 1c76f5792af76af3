// Mutexes that nobody will release, each waited for by one thread: `left_by_the_dead`, whose owner ended; `taken_twice`, whose owner waits for
// it itself; and, in a child process, `held_in_a_fork`, whose owner exists in the parent alone.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

pthread_mutex_t left_by_the_dead = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t taken_twice = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t held_in_a_fork = PTHREAD_MUTEX_INITIALIZER;

static void *end_with_it(void *unused) {
    pthread_mutex_lock(&left_by_the_dead);
    return unused;
}

static void *wait_for_the_dead(void *unused) {
    pthread_mutex_lock(&left_by_the_dead);
    return unused;
}

static void *take_twice(void *unused) {
    pthread_mutex_lock(&taken_twice);
    pthread_mutex_lock(&taken_twice);
    return unused;
}

static void start(pthread_t *thread, void *(*body)(void *)) {
    if (pthread_create(thread, NULL, body, NULL)) _exit(1);
}

int main(void) {
    pthread_t thread;
    start(&thread, end_with_it);
    pthread_join(thread, NULL);
    pthread_mutex_lock(&held_in_a_fork);
    if (fork() == 0) {
        // The first thread's id has changed with the fork, but not what the mutex says of its owner.
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        pthread_mutex_lock(&held_in_a_fork);
        _exit(0);
    }
    start(&thread, wait_for_the_dead);
    start(&thread, take_twice);
    // Long enough for all to sleep, however busy the machine is.
    usleep(200000);
    puts("ready");
    fflush(stdout);
    for (char line[16]; fgets(line, sizeof line, stdin);)
        ;
    return 0;
}

// Threads that wait for a condition are sent signals all the time, with and without SA_RESTART. Their waits do not end because
// of it: no call returns EINTR, and errno stays as it is. Prints what came back from the waits.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done, waits;
static volatile sig_atomic_t interruptions;

static void interrupt(int number) {
    (void)number;
    interruptions++;
}

static void *wait_long(void *timed) {
    int result = 0;
    struct timespec far;
    clock_gettime(CLOCK_REALTIME, &far);
    far.tv_sec += 60;
    pthread_mutex_lock(&mutex);
    errno = 77;
    while (!done && result == 0) {
        result = timed ? pthread_cond_timedwait(&changed, &mutex, &far) : pthread_cond_wait(&changed, &mutex);
        waits++;
    }
    pthread_mutex_unlock(&mutex);
    printf("%s wait: %d, errno %d\n", timed ? "timed" : "long", result, errno);
    return NULL;
}

static void interrupted(int flags, void *timed) {
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = flags};
    sigaction(SIGUSR1, &action, NULL);
    done = waits = interruptions = 0;
    pthread_t waiter;
    pthread_create(&waiter, NULL, wait_long, timed);
    usleep(3000);
    while (interruptions < 100) {
        pthread_kill(waiter, SIGUSR1);
        usleep(50);
    }
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(waiter, NULL);
    // The C library lets a wait end spuriously, which is rare: not once a signal.
    puts(waits < 50 ? "the waits went on" : "the waits ended each time");
}

int main(void) {
    interrupted(0, NULL);
    interrupted(0, &done);
    interrupted(SA_RESTART, NULL);
    interrupted(SA_RESTART, &done);
    return 0;
}

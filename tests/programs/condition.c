// One thread sends ITEMS signals, the other waits for each with pthread_cond_wait, then once with a deadline that
// passes, by each clock. Every wait for a condition is long, and none is a wait for the mutex.
//
// Answer: no contended acquisition at the waiter's sites; prints how often it came back from each wait.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <time.h>

enum { ITEMS = 5 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int sent, taken;

static void *send(void *unused) {
    for (int i = 0; i < ITEMS; i++) {
        struct timespec time = {0, 10000000};
        nanosleep(&time, NULL);
        pthread_mutex_lock(&mutex);
        // The waiter has the mutex unless it waits. On a busy machine it may still be on its way to the last item: two at once would be
        // one wait.
        while (taken != sent) {
            pthread_mutex_unlock(&mutex);
            nanosleep(&time, NULL);
            pthread_mutex_lock(&mutex);
        }
        sent++;
        pthread_mutex_unlock(&mutex);
        pthread_cond_signal(&changed);
    }
    return unused;
}

int main(void) {
    pthread_t sender;
    long waits = 0;
    // Before the sender is there: otherwise the first item might be sent already, and not waited for.
    pthread_mutex_lock(&mutex);
    pthread_create(&sender, NULL, send, NULL);
    while (taken < ITEMS) {
        while (sent == taken) {
            pthread_cond_wait(&changed, &mutex);
            waits++;
        }
        taken++;
    }
    struct timespec past = {1, 0};
    int timed = pthread_cond_timedwait(&changed, &mutex, &past);
    int clocked = pthread_cond_clockwait(&changed, &mutex, CLOCK_MONOTONIC, &past);
    pthread_mutex_unlock(&mutex);
    pthread_join(sender, NULL);
    printf("waits %ld, timed %d, clocked %d\n", waits, timed, clocked);
    return 0;
}

// A thread that waits for a condition is ended by a handler that calls pthread_exit. Its clean-up handler holds the mutex, and
// the condition goes on to serve others. Prints what happened.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting, told;

static void end(int number) {
    (void)number;
    pthread_exit(&told);
}

static void clean_up(void *unused) {
    (void)unused;
    puts(pthread_mutex_lock(&mutex) == EDEADLK ? "held in the handler" : "not held in the handler");
    pthread_mutex_unlock(&mutex);
}

static void *wait_to_be_told(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(clean_up, NULL);
    waiting++;
    while (!told)
        pthread_cond_wait(&changed, &mutex);
    pthread_cleanup_pop(1);
    return unused;
}

int main(void) {
    signal(SIGUSR1, end);
    pthread_t thread[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, wait_to_be_told, NULL);
    for (int all = 0; all < 3; usleep(1000)) {
        pthread_mutex_lock(&mutex);
        all = waiting;
        pthread_mutex_unlock(&mutex);
    }
    usleep(5000);
    void *result;
    pthread_kill(thread[1], SIGUSR1);
    pthread_join(thread[1], &result);
    puts(result == &told ? "ended by its handler" : "ended otherwise");
    pthread_mutex_lock(&mutex);
    told = 1;
    pthread_cond_signal(&changed);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread[0], NULL);
    pthread_join(thread[2], NULL);
    puts("the others were told");
    return pthread_cond_destroy(&changed);
}

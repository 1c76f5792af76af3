// As cancellation.cpp, in C: a cleanup handler without exceptions.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int waiting;

static void cleanup(void *unused) {
    (void)unused;
    printf("cleanup ran, mutex is %s\n", pthread_mutex_trylock(&mutex) ? "held" : "free");
    pthread_mutex_unlock(&mutex);
}

static void *wait_in_vain(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(cleanup, NULL);
    waiting = 1;
    for (;;) pthread_cond_wait(&never, &mutex);
    pthread_cleanup_pop(1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait_in_vain, NULL);
    for (int there = 0; !there; usleep(1000)) {
        pthread_mutex_lock(&mutex);
        there = waiting;
        pthread_mutex_unlock(&mutex);
    }
    pthread_cancel(thread);
    void *result;
    pthread_join(thread, &result);
    puts(result == PTHREAD_CANCELED ? "cancelled" : "not cancelled");
    return 0;
}

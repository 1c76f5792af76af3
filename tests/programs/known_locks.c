/* Locks that are taken a known number of times at known places.
 *
 *     known_locks
 *
 *   hot_lock      4 threads x 10000 times in hot_path
 *   cold_lock     7 times in cold_path
 *   slow_lock     twice: held in hold_slowly until wait_for_slow has surely begun to wait
 *   busy_lock     once in hold_busy; 5 attempts in try_busy that all fail
 *   12 locks from malloc, 3 times each in use_heap_lock
 *
 * Writes one line to standard output and one to standard error. Exit status: 7. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t hot_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t cold_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t slow_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t busy_lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int slow_is_held;
static volatile long counter;

__attribute__((noinline)) static void hot_path(void) {
    pthread_mutex_lock(&hot_lock);
    counter++;
    pthread_mutex_unlock(&hot_lock);
}

__attribute__((noinline)) static void cold_path(void) {
    pthread_mutex_lock(&cold_lock);
    counter++;
    pthread_mutex_unlock(&cold_lock);
}

static void sleep_ms(long ms) {
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    while (nanosleep(&time, &time) != 0)
        ;
}

__attribute__((noinline)) static void hold_slowly(void) {
    pthread_mutex_lock(&slow_lock);
    slow_is_held = 1;
    sleep_ms(200);
    pthread_mutex_unlock(&slow_lock);
}

__attribute__((noinline)) static void *wait_for_slow(void *unused) {
    (void)unused;
    while (!slow_is_held)
        sleep_ms(1);
    pthread_mutex_lock(&slow_lock);
    counter++;
    pthread_mutex_unlock(&slow_lock);
    return NULL;
}

__attribute__((noinline)) static void *try_busy(void *unused) {
    (void)unused;
    for (int attempt = 0; attempt < 5; attempt++)
        if (pthread_mutex_trylock(&busy_lock) == 0)
            abort();
    return NULL;
}

__attribute__((noinline)) static void hold_busy(void) {
    pthread_t thread;
    pthread_mutex_lock(&busy_lock);
    if (pthread_create(&thread, NULL, try_busy, NULL) != 0)
        abort();
    pthread_join(thread, NULL);
    pthread_mutex_unlock(&busy_lock);
}

__attribute__((noinline)) static void use_heap_lock(pthread_mutex_t *lock) {
    pthread_mutex_lock(lock);
    counter++;
    pthread_mutex_unlock(lock);
}

static void *run_hot(void *unused) {
    (void)unused;
    for (int turn = 0; turn < 10000; turn++)
        hot_path();
    return NULL;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        if (pthread_create(&threads[i], NULL, run_hot, NULL) != 0)
            abort();
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    for (int turn = 0; turn < 7; turn++)
        cold_path();

    if (pthread_create(&threads[0], NULL, wait_for_slow, NULL) != 0)
        abort();
    hold_slowly();
    pthread_join(threads[0], NULL);
    hold_busy();

    /* All alive at once, so that no two share an address. */
    pthread_mutex_t *heap[12];
    for (int i = 0; i < 12; i++) {
        heap[i] = malloc(sizeof *heap[i]);
        pthread_mutex_init(heap[i], NULL);
    }
    for (int turn = 0; turn < 3; turn++)
        for (int i = 0; i < 12; i++)
            use_heap_lock(heap[i]);

    printf("counter %ld\n", counter);
    fprintf(stderr, "to standard error\n");
    return 7;
}

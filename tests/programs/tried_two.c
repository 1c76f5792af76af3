// Two static mutexes, an array of them, and many that one function makes in allocated memory: one of these at a time may be singled out.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { MADE = 10, BUCKETS = 100, ROUNDS = 1000 };

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t *made[MADE];
static pthread_mutex_t buckets[BUCKETS];
static long counter;

static void __attribute__((noinline)) make_locks(void) {
    for (int i = 0; i < MADE; i++) {
        made[i] = malloc(sizeof *made[i]);
        pthread_mutex_init(made[i], NULL);
    }
}

static void *work(void *unused) {
    for (int round = 0; round < ROUNDS; round++) {
        pthread_mutex_lock(&first_lock);
        counter++;
        pthread_mutex_unlock(&first_lock);
        pthread_mutex_lock(&second_lock);
        pthread_mutex_unlock(&second_lock);
        pthread_mutex_lock(made[round % MADE]);
        pthread_mutex_unlock(made[round % MADE]);
        pthread_mutex_lock(&buckets[round % BUCKETS]);
        pthread_mutex_unlock(&buckets[round % BUCKETS]);
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    make_locks();
    for (int i = 0; i < BUCKETS; i++) pthread_mutex_init(&buckets[i], NULL);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    printf("%ld\n", counter);
    return counter != 2 * ROUNDS;
}

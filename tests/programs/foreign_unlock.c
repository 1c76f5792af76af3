// Mutexes that one thread locks and another unlocks, which POSIX leaves undefined and the GNU C library lets pass for
// normal mutexes. A recorder that keeps a list of what a thread holds must not let it grow, nor report nonsense.
//
// Answer: 5000 acquisitions of `passed` by one thread, 100 more that it releases itself, and one of each of 200 `kept`.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t passed = PTHREAD_MUTEX_INITIALIZER, kept[200];
static pthread_barrier_t turn;

static void *lock(void *unused) {
    for (int i = 0; i < 5000; i++) {
        pthread_mutex_lock(&passed);
        pthread_barrier_wait(&turn);
        pthread_barrier_wait(&turn);
    }
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&passed);
        pthread_mutex_unlock(&passed);
    }
    for (int i = 0; i < 200; i++) pthread_mutex_lock(&kept[i]);
    pthread_barrier_wait(&turn);
    return unused;
}

static void *unlock(void *unused) {
    for (int i = 0; i < 5000; i++) {
        pthread_barrier_wait(&turn);
        pthread_mutex_unlock(&passed);
        pthread_barrier_wait(&turn);
    }
    pthread_barrier_wait(&turn);
    for (int i = 0; i < 200; i++) pthread_mutex_unlock(&kept[i]);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 200; i++) pthread_mutex_init(&kept[i], NULL);
    pthread_barrier_init(&turn, NULL, 2);
    pthread_create(&threads[0], NULL, lock, NULL);
    pthread_create(&threads[1], NULL, unlock, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    puts("done");
    return 0;
}

// Locks of every kind that live at one address one after another, five of each: initialised, taken three times,
// destroyed. One semaphore and one reader-writer lock are there for good, and taken three times in each round.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <threads.h>

static pthread_mutex_t mutex;
static pthread_rwlock_t rwlock, lasting = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spinlock;
static sem_t semaphore, lasting_semaphore;
static pthread_barrier_t barrier;
static mtx_t c11;

int main(void) {
    sem_init(&lasting_semaphore, 0, 1);
    for (int life = 0; life < 5; life++) {
        pthread_mutex_init(&mutex, NULL);
        pthread_rwlock_init(&rwlock, NULL);
        pthread_spin_init(&spinlock, PTHREAD_PROCESS_PRIVATE);
        sem_init(&semaphore, 0, 1);
        pthread_barrier_init(&barrier, NULL, 1);
        mtx_init(&c11, mtx_plain);
        for (int i = 0; i < 3; i++) {
            pthread_mutex_lock(&mutex), pthread_mutex_unlock(&mutex);
            pthread_rwlock_rdlock(&rwlock), pthread_rwlock_unlock(&rwlock);
            pthread_rwlock_rdlock(&lasting), pthread_rwlock_unlock(&lasting);
            pthread_spin_lock(&spinlock), pthread_spin_unlock(&spinlock);
            sem_wait(&semaphore), sem_post(&semaphore);
            sem_wait(&lasting_semaphore), sem_post(&lasting_semaphore);
            pthread_barrier_wait(&barrier);
            mtx_lock(&c11), mtx_unlock(&c11);
        }
        pthread_mutex_destroy(&mutex);
        pthread_rwlock_destroy(&rwlock);
        pthread_spin_destroy(&spinlock);
        sem_destroy(&semaphore);
        pthread_barrier_destroy(&barrier);
        mtx_destroy(&c11);
    }
    puts("done");
    return 0;
}

// Attempts that fail and waits that end by their deadline, on every kind of lock, in known numbers. One thread holds
// everything; another makes 10 attempts and 3 waits of 2 ms at each. Prints how long those waits took, in ns.
#include "measure.h"
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spinlock;
static sem_t semaphore;
static mtx_t c11;

static long long mutex_ns, rwlock_ns, semaphore_ns, c11_ns;

#define TIMED(total, call)             \
    do {                               \
        long long begin_ = now_ns();   \
        (void)(call);                  \
        *(total) += now_ns() - begin_; \
    } while (0)

static struct timespec soon(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    time.tv_nsec += 2000000;
    if (time.tv_nsec >= 1000000000) {
        time.tv_nsec -= 1000000000;
        time.tv_sec++;
    }
    return time;
}

static void *fail(void *unused) {
    for (int i = 0; i < 10; i++) {
        pthread_mutex_trylock(&mutex);
        pthread_rwlock_trywrlock(&rwlock);
        pthread_rwlock_tryrdlock(&rwlock);
        pthread_spin_trylock(&spinlock);
        sem_trywait(&semaphore);
        mtx_trylock(&c11);
    }
    for (int i = 0; i < 3; i++) {
        struct timespec real = soon(CLOCK_REALTIME);
        if (i < 2)
            TIMED(&mutex_ns, pthread_mutex_timedlock(&mutex, &real));
        else {
            struct timespec monotonic = soon(CLOCK_MONOTONIC);
            TIMED(&mutex_ns, pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &monotonic));
        }
        real = soon(CLOCK_REALTIME);
        TIMED(&rwlock_ns, pthread_rwlock_timedwrlock(&rwlock, &real));
        real = soon(CLOCK_REALTIME);
        TIMED(&semaphore_ns, sem_timedwait(&semaphore, &real));
        real = soon(CLOCK_REALTIME);
        TIMED(&c11_ns, mtx_timedlock(&c11, &real));
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&spinlock, PTHREAD_PROCESS_PRIVATE);
    sem_init(&semaphore, 0, 1);
    mtx_init(&c11, mtx_timed);
    pthread_mutex_lock(&mutex);
    pthread_rwlock_wrlock(&rwlock);
    pthread_spin_lock(&spinlock);
    sem_wait(&semaphore);
    mtx_lock(&c11);
    pthread_create(&thread, NULL, fail, NULL);
    pthread_join(thread, NULL);
    pthread_mutex_unlock(&mutex);
    pthread_rwlock_unlock(&rwlock);
    pthread_spin_unlock(&spinlock);
    sem_post(&semaphore);
    mtx_unlock(&c11);
    answer("mutex", mutex_ns);
    answer("rwlock", rwlock_ns);
    answer("semaphore", semaphore_ns);
    answer("c11", c11_ns);
    return 0;
}

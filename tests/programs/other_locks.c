// Every other kind of lock, with known counts and known contention. Prints what each was acquired and waited for.
//
//   as_lock      a semaphore that excludes: 4 threads, 100 times each, held while asleep now and then
//   as_signal    a semaphore that one thread posts 20 times and another waits for
//   read_only    a reader-writer lock that 4 threads read at the same time, 50 times: never contended
//   written      read by a thread that holds it 5 ms, 5 times, while a writer waits; then the other way round
//   spun         a spin lock, 4 threads, 1000 times each
//   held_spun    a spin lock that is held 2 ms, 5 times, while another thread waits
//   met          a barrier of 3 threads, 20 rounds
//   c11          a C11 mutex, 4 threads, 500 times each; held 2 ms, 5 times, while another thread waits
#include "measure.h"
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

static sem_t as_lock, as_signal;
static pthread_rwlock_t read_only = PTHREAD_RWLOCK_INITIALIZER, written = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spun, held_spun;
static pthread_barrier_t met, pair, all_reading;
static mtx_t c11;
static long shared;
static struct coming coming;

// The holder stays until the other thread waits for the lock, and then for a while.
static void stay(long long ns) {
    await_waiter(&coming);
    spin_ns(ns);
}

static void run(int count, void *(*what)(void *)) {
    pthread_t threads[8];
    for (long i = 0; i < count; i++) pthread_create(&threads[i], NULL, what, (void *)i);
    for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
}

static void *exclude(void *unused) {
    for (int i = 0; i < 100; i++) {
        sem_wait(&as_lock);
        shared++;
        if (i % 10 == 0) sleep_ns(100000);
        sem_post(&as_lock);
    }
    return unused;
}

static void *tell_or_wait(void *first) {
    for (int i = 0; i < 20; i++) {
        if (first) {
            sleep_ns(500000);
            sem_post(&as_signal);
        } else {
            sem_wait(&as_signal);
        }
    }
    return NULL;
}

static void *read_together(void *unused) {
    for (int i = 0; i < 50; i++) {
        pthread_rwlock_rdlock(&read_only);
        // Nobody leaves before all four are in.
        pthread_barrier_wait(&all_reading);
        pthread_rwlock_unlock(&read_only);
    }
    return unused;
}

static long long write_wait_ns, read_wait_ns;

static void *read_while_written(void *first) {
    for (int i = 0; i < 10; i++) {
        int first_writes = i >= 5;
        if (first) {
            first_writes ? pthread_rwlock_wrlock(&written) : pthread_rwlock_rdlock(&written);
            pthread_barrier_wait(&pair);
            stay(5000000);
            pthread_rwlock_unlock(&written);
        } else {
            pthread_barrier_wait(&pair);
            come(&coming);
            long long begin = now_ns();
            first_writes ? pthread_rwlock_rdlock(&written) : pthread_rwlock_wrlock(&written);
            *(first_writes ? &read_wait_ns : &write_wait_ns) += now_ns() - begin;
            pthread_rwlock_unlock(&written);
        }
        pthread_barrier_wait(&pair);
    }
    return NULL;
}

static void *spin(void *unused) {
    for (int i = 0; i < 1000; i++) {
        pthread_spin_lock(&spun);
        shared++;
        pthread_spin_unlock(&spun);
    }
    return unused;
}

static long long spin_wait_ns, c11_wait_ns;

static void *spin_for_holder(void *first) {
    for (int i = 0; i < 5; i++) {
        if (first) {
            pthread_spin_lock(&held_spun);
            pthread_barrier_wait(&pair);
            stay(2000000);
            pthread_spin_unlock(&held_spun);
        } else {
            pthread_barrier_wait(&pair);
            come(&coming);
            long long begin = now_ns();
            pthread_spin_lock(&held_spun);
            spin_wait_ns += now_ns() - begin;
            pthread_spin_unlock(&held_spun);
        }
        pthread_barrier_wait(&pair);
    }
    return NULL;
}

static void *meet(void *unused) {
    for (int i = 0; i < 20; i++) pthread_barrier_wait(&met);
    return unused;
}

static int take_c11(void *unused) {
    (void)unused;
    for (int i = 0; i < 500; i++) {
        mtx_lock(&c11);
        shared++;
        mtx_unlock(&c11);
    }
    return 0;
}

static void *wait_for_c11(void *first) {
    for (int i = 0; i < 5; i++) {
        if (first) {
            mtx_lock(&c11);
            pthread_barrier_wait(&pair);
            stay(2000000);
            mtx_unlock(&c11);
        } else {
            pthread_barrier_wait(&pair);
            come(&coming);
            long long begin = now_ns();
            mtx_lock(&c11);
            c11_wait_ns += now_ns() - begin;
            mtx_unlock(&c11);
        }
        pthread_barrier_wait(&pair);
    }
    return NULL;
}

int main(void) {
    sem_init(&as_lock, 0, 1);
    sem_init(&as_signal, 0, 0);
    pthread_spin_init(&spun, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_init(&held_spun, PTHREAD_PROCESS_PRIVATE);
    pthread_barrier_init(&met, NULL, 3);
    pthread_barrier_init(&pair, NULL, 2);
    pthread_barrier_init(&all_reading, NULL, 4);
    mtx_init(&c11, mtx_plain);

    run(4, exclude);
    run(2, tell_or_wait);
    run(4, read_together);
    run(2, read_while_written);
    run(4, spin);
    run(2, spin_for_holder);
    run(3, meet);
    thrd_t threads[4];
    for (int i = 0; i < 4; i++) thrd_create(&threads[i], take_c11, NULL);
    for (int i = 0; i < 4; i++) thrd_join(threads[i], NULL);
    run(2, wait_for_c11);

    answer("shared", shared);
    answer("write_wait", write_wait_ns);
    answer("read_wait", read_wait_ns);
    answer("spin_wait", spin_wait_ns);
    answer("c11_wait", c11_wait_ns);
    return 0;
}

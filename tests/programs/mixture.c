// Threads that do anything to any lock, by dice: what counts is that every count is right in the end. Prints, for each
// kind of lock, what the threads counted themselves by what the functions returned.
//
// Arguments: threads, turns of each.
#include "measure.h"
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>

enum { EACH = 3, MOST_THREADS = 64 };

static pthread_mutex_t mutexes[EACH];
static pthread_rwlock_t rwlocks[EACH];
static pthread_spinlock_t spins[EACH];
static sem_t semaphores[EACH];
static int turns;

struct counts {
    long mutex, mutex_failed, mutex_timed_out, read, written, rwlock_failed, spin, spin_failed, semaphore, semaphore_failed;
} counted[MOST_THREADS];

static void linger(unsigned dice) {
    if (dice % 64 == 0) sched_yield();
    if (dice % 512 == 1) sleep_ns(50000);
}

static void *work(void *argument) {
    struct counts *own = argument;
    unsigned state = (unsigned)(own - counted) * 2654435761u + 1;
    for (int i = 0; i < turns; i++) {
        state = state * 1664525 + 1013904223;
        unsigned dice = state >> 10, which = dice % EACH;
        struct timespec soon;
        int result;
        switch (dice / EACH % 12) {
        case 0:
        case 1:
            pthread_mutex_lock(&mutexes[which]);
            own->mutex++;
            linger(dice);
            pthread_mutex_unlock(&mutexes[which]);
            break;
        case 2:
            if (pthread_mutex_trylock(&mutexes[which]) == 0) {
                own->mutex++;
                linger(dice);
                pthread_mutex_unlock(&mutexes[which]);
            } else {
                own->mutex_failed++;
            }
            break;
        case 3:
            clock_gettime(CLOCK_REALTIME, &soon);
            result = pthread_mutex_timedlock(&mutexes[which], &soon);
            if (result == 0) {
                own->mutex++;
                linger(dice);
                pthread_mutex_unlock(&mutexes[which]);
            } else if (result == ETIMEDOUT) {
                own->mutex_timed_out++;
            }
            break;
        case 4:
        case 5:
            pthread_rwlock_rdlock(&rwlocks[which]);
            own->read++;
            linger(dice);
            pthread_rwlock_unlock(&rwlocks[which]);
            break;
        case 6:
            pthread_rwlock_wrlock(&rwlocks[which]);
            own->written++;
            linger(dice);
            pthread_rwlock_unlock(&rwlocks[which]);
            break;
        case 7:
            if (pthread_rwlock_trywrlock(&rwlocks[which]) == 0) {
                own->written++;
                pthread_rwlock_unlock(&rwlocks[which]);
            } else {
                own->rwlock_failed++;
            }
            break;
        case 8:
            pthread_spin_lock(&spins[which]);
            own->spin++;
            pthread_spin_unlock(&spins[which]);
            break;
        case 9:
            if (pthread_spin_trylock(&spins[which]) == 0) {
                own->spin++;
                pthread_spin_unlock(&spins[which]);
            } else {
                own->spin_failed++;
            }
            break;
        case 10:
            sem_wait(&semaphores[which]);
            own->semaphore++;
            linger(dice);
            sem_post(&semaphores[which]);
            break;
        case 11:
            if (sem_trywait(&semaphores[which]) == 0) {
                own->semaphore++;
                sem_post(&semaphores[which]);
            } else {
                own->semaphore_failed++;
            }
            break;
        }
    }
    return NULL;
}

int main(int argc, char **argv) {
    int count = argc > 1 ? atoi(argv[1]) : 4;
    turns = argc > 2 ? atoi(argv[2]) : 20000;
    if (count > MOST_THREADS) return 2;
    pthread_t threads[MOST_THREADS];
    for (int i = 0; i < EACH; i++) {
        pthread_mutex_init(&mutexes[i], NULL);
        pthread_rwlock_init(&rwlocks[i], NULL);
        pthread_spin_init(&spins[i], PTHREAD_PROCESS_PRIVATE);
        sem_init(&semaphores[i], 0, 1);
    }
    for (int i = 0; i < count; i++) pthread_create(&threads[i], NULL, work, &counted[i]);
    struct counts all = {0};
    for (int i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
        for (size_t k = 0; k < sizeof all / sizeof(long); k++) ((long *)&all)[k] += ((long *)&counted[i])[k];
    }
    printf("mutexes %ld %ld %ld\n", all.mutex, all.mutex_failed, all.mutex_timed_out);
    printf("rwlocks %ld %ld 0\n", all.read + all.written, all.rwlock_failed);
    printf("spins %ld %ld 0\n", all.spin, all.spin_failed);
    printf("semaphores %ld %ld 0\n", all.semaphore, all.semaphore_failed);
    return 0;
}

// Sixty-four threads on one reader-writer lock, in every way there is to acquire it; writers keep two variables equal, and readers
// look. What was written must have been counted, whichever calls gave up.
#include "show.h"
#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 64, ROUNDS = 2000 };

static pthread_rwlock_t by_default = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t writers_first = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static long first, second, written;
static int wrong;

static int acquire_to_read(pthread_rwlock_t *lock, unsigned dice) {
    struct timespec soon;
    switch (dice % 4) {
    case 0: return pthread_rwlock_tryrdlock(lock);
    case 1: soon = in_ms(CLOCK_REALTIME, 1); return pthread_rwlock_timedrdlock(lock, &soon);
    case 2: soon = in_ms(CLOCK_MONOTONIC, 1); return pthread_rwlock_clockrdlock(lock, CLOCK_MONOTONIC, &soon);
    default: return pthread_rwlock_rdlock(lock);
    }
}

static int acquire_to_write(pthread_rwlock_t *lock, unsigned dice) {
    struct timespec soon;
    switch (dice % 4) {
    case 0: return pthread_rwlock_trywrlock(lock);
    case 1: soon = in_ms(CLOCK_REALTIME, 1); return pthread_rwlock_timedwrlock(lock, &soon);
    case 2: soon = in_ms(CLOCK_MONOTONIC, 0); return pthread_rwlock_clockwrlock(lock, CLOCK_MONOTONIC, &soon);
    default: return pthread_rwlock_wrlock(lock);
    }
}

static void *any(void *argument) {
    pthread_rwlock_t *lock = argument;
    unsigned dice = (unsigned)(size_t)pthread_self() >> 8;
    for (int round = 0; round < ROUNDS; round++) {
        dice = dice * 1103515245u + 12345u;
        int writes = dice >> 28 == 0, result = writes ? acquire_to_write(lock, dice >> 16) : acquire_to_read(lock, dice >> 16);
        if (result == EBUSY || result == ETIMEDOUT) continue;
        if (result != 0) {
            wrong = result;
            continue;
        }
        if (first != second) wrong = -1;
        if (writes) {
            first++;
            for (volatile int delay = 0; delay < 50; delay++)
                ;
            second++;
            written++;
        }
        if (pthread_rwlock_unlock(lock) != 0) wrong = -2;
    }
    return NULL;
}

static void all_on(const char *name, pthread_rwlock_t *lock) {
    pthread_t threads[THREADS];
    first = second = written = 0;
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, any, lock);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    printf("%s: wrong %d, %s\n", name, wrong, first == second && second == written && written > 0 ? "adds up" : "does not add up");
    SHOW(pthread_rwlock_trywrlock(lock));
    SHOW(pthread_rwlock_unlock(lock));
    SHOW(pthread_rwlock_destroy(lock));
}

int main(void) {
    all_on("by default", &by_default);
    all_on("writers first", &writers_first);
    return 0;
}

/* Four threads count under a lock of each kind; the counts must add up. */
#include "locktoll_locks.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 200 };

static const locktoll_lock *lock;
static long count;

static void *contend(void *unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        if (i % 2 == 0 || !locktoll_lock_try_acquire(lock))
            locktoll_lock_acquire(lock);
        count++;
        locktoll_lock_release(lock);
    }
    return NULL;
}

int main(void)
{
    const char *name;
    size_t kinds;
    for (kinds = 0; (name = locktoll_lock_name(kinds)) != NULL; kinds++) {
        locktoll_lock *made = locktoll_lock_create(name);
        pthread_t threads[THREADS];
        if (made == NULL)
            return 1;
        lock = made;
        count = 0;
        for (int i = 0; i < THREADS; i++)
            if (pthread_create(&threads[i], NULL, contend, NULL) != 0)
                return 1;
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        if (count != (long)THREADS * ROUNDS) {
            printf("%s: counted %ld\n", name, count);
            return 1;
        }
        locktoll_lock_destroy(made);
    }
    if (locktoll_lock_create("no such lock") != NULL || locktoll_lock_create("ticket:1") != NULL)
        return 1;
    /* A parameter, and names of earlier versions. */
    const char *spellings[] = { "futex3:100", "futex3-spin100", "sysv-semaphore", "pipe-token" };
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        locktoll_lock *made = locktoll_lock_create(spellings[i]);
        if (made == NULL)
            return 1;
        locktoll_lock_destroy(made);
    }
    locktoll_lock_destroy(NULL);
    printf("%zu kinds\n", kinds);
    return 0;
}

// The lives of reader-writer locks: initialised in every way, in memory that was something else, used again, and freed by the next
// holder while the last one is still on its way out.
#include "show.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct shared {
    pthread_rwlock_t lock;
    int users;
};

static struct shared *handed[2];
static pthread_barrier_t start;

// Two threads leave; whoever is last frees the lock, which the other may have released only just.
static void *leave(void *argument) {
    unsigned number = (unsigned)(size_t)argument;
    for (int round = 0; round < 3000; round++) {
        pthread_barrier_wait(&start);
        struct shared *it = handed[number];
        pthread_rwlock_rdlock(&it->lock);
        pthread_rwlock_unlock(&it->lock);
        pthread_rwlock_wrlock(&it->lock);
        int last = --it->users == 0;
        pthread_rwlock_unlock(&it->lock);
        if (last) {
            pthread_rwlock_destroy(&it->lock);
            memset(it, 0xa5, sizeof *it);
            free(it);
        }
        pthread_barrier_wait(&start);
    }
    return NULL;
}

static void freed_by_the_last(void) {
    pthread_t threads[2];
    pthread_barrier_init(&start, NULL, 3);
    for (size_t i = 0; i < 2; i++) pthread_create(&threads[i], NULL, leave, (void *)i);
    for (int round = 0; round < 3000; round++) {
        struct shared *it = malloc(sizeof *it);
        pthread_rwlock_init(&it->lock, NULL);
        it->users = 2;
        handed[0] = handed[1] = it;
        pthread_barrier_wait(&start);
        pthread_barrier_wait(&start);
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    puts("freed by the last");
}

static void used(const char *name, pthread_rwlock_t *lock) {
    printf("-- %s\n", name);
    SHOW(pthread_rwlock_rdlock(lock));
    SHOW(pthread_rwlock_tryrdlock(lock));
    SHOW(pthread_rwlock_trywrlock(lock));
    SHOW(pthread_rwlock_unlock(lock));
    SHOW(pthread_rwlock_unlock(lock));
    SHOW(pthread_rwlock_wrlock(lock));
    SHOW(pthread_rwlock_tryrdlock(lock));
    SHOW(pthread_rwlock_unlock(lock));
}

static void initialised_again(int kind) {
    pthread_rwlock_t lock;
    pthread_rwlockattr_t attributes;
    // What a new lock finds in its memory means nothing, be it a lock that was held when it was forgotten.
    for (int byte = 0; byte < 256; byte += 51) {
        memset(&lock, byte, sizeof lock);
        pthread_rwlockattr_init(&attributes);
        pthread_rwlockattr_setkind_np(&attributes, kind);
        pthread_rwlock_init(&lock, &attributes);
        used("initialised", &lock);
        pthread_rwlock_wrlock(&lock);
    }
    SHOW(pthread_rwlock_init(&lock, NULL));
    used("again", &lock);
    SHOW(pthread_rwlock_destroy(&lock));
    lock = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
    used("by assignment", &lock);
    SHOW(pthread_rwlock_destroy(&lock));
}

static void *write_once(void *lock) {
    pthread_rwlock_wrlock(lock);
    pthread_rwlock_unlock(lock);
    return NULL;
}

// A writer waits, and the reader that it waits for reads again: by default it must come in.
static void recursive(void) {
    static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    pthread_t writer;
    puts("-- a reader reads again while a writer waits");
    pthread_rwlock_rdlock(&lock);
    pthread_create(&writer, NULL, write_once, &lock);
    sleep_ms(20);
    SHOW(pthread_rwlock_rdlock(&lock));
    SHOW(pthread_rwlock_tryrdlock(&lock));
    SHOW(pthread_rwlock_unlock(&lock));
    SHOW(pthread_rwlock_unlock(&lock));
    SHOW(pthread_rwlock_unlock(&lock));
    pthread_join(writer, NULL);
    SHOW(pthread_rwlock_destroy(&lock));
}

static void many(void) {
    enum { COUNT = 20000 };
    pthread_rwlock_t *locks = calloc(COUNT, sizeof *locks);
    for (int i = 0; i < COUNT; i++) pthread_rwlock_rdlock(&locks[i]);
    for (int i = 0; i < COUNT; i++) pthread_rwlock_unlock(&locks[i]);
    puts("many at once");
    free(locks);
}

int main(void) {
    initialised_again(PTHREAD_RWLOCK_PREFER_READER_NP);
    initialised_again(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    recursive();
    many();
    freed_by_the_last();
    return 0;
}

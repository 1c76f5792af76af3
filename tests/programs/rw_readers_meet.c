// Readers are inside together: they meet at a barrier that is inside the read section, again and again, with writers in
// between. A lock that lets one reader in at a time never gets to the end.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { READERS = 6, WRITERS = 2, ROUNDS = 200 };

static pthread_rwlock_t lock;
static pthread_barrier_t inside, outside;
static long first, second;
static int torn;

static void *reader(void *unused) {
    for (int round = 0; round < ROUNDS; round++) {
        pthread_rwlock_rdlock(&lock);
        if (first != second) torn = 1;
        pthread_barrier_wait(&inside);
        if (first != second) torn = 1;
        pthread_rwlock_unlock(&lock);
        // Nobody reads twice while others have not read once: they would wait for a writer that waits for them.
        pthread_barrier_wait(&outside);
    }
    return unused;
}

static void *writer(void *unused) {
    for (int round = 0; round < ROUNDS; round++) {
        pthread_rwlock_wrlock(&lock);
        first++;
        second++;
        pthread_rwlock_unlock(&lock);
    }
    return unused;
}

static void meet(const char *name, int kind, int writers) {
    pthread_t threads[READERS + WRITERS];
    pthread_rwlockattr_t attributes;
    pthread_rwlockattr_init(&attributes);
    pthread_rwlockattr_setkind_np(&attributes, kind);
    pthread_rwlock_init(&lock, &attributes);
    pthread_barrier_init(&inside, NULL, READERS);
    pthread_barrier_init(&outside, NULL, READERS);
    first = second = 0;
    for (int i = 0; i < READERS + writers; i++) pthread_create(&threads[i], NULL, i < READERS ? reader : writer, NULL);
    for (int i = 0; i < READERS + writers; i++) pthread_join(threads[i], NULL);
    printf("%s: %s, written %ld times\n", name, torn ? "torn" : "met", second);
    pthread_rwlock_destroy(&lock);
}

int main(void) {
    meet("readers preferred", PTHREAD_RWLOCK_PREFER_READER_NP, WRITERS);
    meet("so called writers preferred", PTHREAD_RWLOCK_PREFER_WRITER_NP, WRITERS);
    // A writer that waits would keep some of the readers out, whom the others wait for.
    meet("writers preferred", PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP, 0);
    return 0;
}

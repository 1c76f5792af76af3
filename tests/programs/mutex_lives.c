// What a mutex answers from its beginning to its end, for each way to begin it: static initialisers, zeros, init with and
// without attributes, memory that was never initialised before init; held and not; destroyed, and made again.
#include "show.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t zeros;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;

static void *from_another(void *argument) {
    pthread_mutex_t *mutex = argument;
    SHOW(pthread_mutex_trylock(mutex));
    SHOW(pthread_mutex_destroy(mutex));
    return NULL;
}

static void live(const char *name, pthread_mutex_t *mutex) {
    pthread_t thread;
    printf("-- %s, kind %d\n", name, mutex->__data.__kind);
    SHOW(pthread_mutex_trylock(mutex));
    SHOW(pthread_mutex_trylock(mutex) == EBUSY);
    pthread_create(&thread, NULL, from_another, mutex);
    pthread_join(thread, NULL);
    SHOW(pthread_mutex_destroy(mutex));
    SHOW(pthread_mutex_unlock(mutex));
    if ((mutex->__data.__kind & 3) == PTHREAD_MUTEX_RECURSIVE) SHOW(pthread_mutex_unlock(mutex));
    if ((mutex->__data.__kind & 3) == PTHREAD_MUTEX_RECURSIVE || (mutex->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK)
        SHOW(pthread_mutex_unlock(mutex));
    printf("kind %d\n", mutex->__data.__kind);
    // Destroyed while it is free.
    SHOW(pthread_mutex_destroy(mutex));
    SHOW(pthread_mutex_lock(mutex));
    SHOW(pthread_mutex_trylock(mutex));
    SHOW(pthread_mutex_unlock(mutex));
    SHOW(pthread_mutex_destroy(mutex));
}

static void with_attributes(const char *name, pthread_mutex_t *mutex, int type) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    if (type >= 0) SHOW(pthread_mutexattr_settype(&attributes, type));
    SHOW(pthread_mutex_init(mutex, &attributes));
    live(name, mutex);
}

int main(void) {
    live("static", &plain);
    live("zeros", &zeros);
    live("static, recursive", &recursive);
    live("static, error-check", &checking);
    live("static, adaptive", &adaptive);
    pthread_mutex_t *mutex = malloc(sizeof *mutex);
    for (int round = 0; round < 2; round++) {
        memset(mutex, 0xa5, sizeof *mutex);
        SHOW(pthread_mutex_init(mutex, NULL));
        live("no attributes", mutex);
        with_attributes("default", mutex, -1);
        with_attributes("normal", mutex, PTHREAD_MUTEX_NORMAL);
        with_attributes("recursive", mutex, PTHREAD_MUTEX_RECURSIVE);
        with_attributes("error-check", mutex, PTHREAD_MUTEX_ERRORCHECK);
        with_attributes("adaptive", mutex, PTHREAD_MUTEX_ADAPTIVE_NP);
    }
    // Begun again without an end, held as it is.
    SHOW(pthread_mutex_init(mutex, NULL));
    SHOW(pthread_mutex_lock(mutex));
    SHOW(pthread_mutex_init(mutex, NULL));
    SHOW(pthread_mutex_trylock(mutex));
    SHOW(pthread_mutex_unlock(mutex));
    // Released by who does not hold it: a normal mutex says nothing, and is as it was.
    pthread_mutex_t released = PTHREAD_MUTEX_INITIALIZER;
    for (int way = 0; way < 2; way++) {
        SHOW(pthread_mutex_unlock(&released));
        SHOW(pthread_mutex_unlock(&released));
        SHOW(pthread_mutex_trylock(&released));
        SHOW(pthread_mutex_trylock(&released));
        SHOW(pthread_mutex_unlock(&released));
    }
    // A recursive mutex whose count is as high as it goes.
    pthread_mutex_t full = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    SHOW(pthread_mutex_lock(&full));
    full.__data.__count = 0xfffffffe;
    SHOW(pthread_mutex_lock(&full));
    SHOW(pthread_mutex_lock(&full));
    SHOW(pthread_mutex_trylock(&full));
    struct timespec nonsense = {0, -1};
    SHOW(pthread_mutex_timedlock(&full, &nonsense));
    SHOW(pthread_mutex_unlock(&full));
    return 0;
}

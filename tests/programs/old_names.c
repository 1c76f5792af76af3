/* Locks used by the names that old libraries import, and by those of today, in turn: both are the same functions.
 *
 *     old_names
 *
 * Prints what each call returns.
 */
#include <pthread.h>
#include <stdio.h>

#if defined(__x86_64__)
#define OLDEST "GLIBC_2.2.5"
#else
#define OLDEST "GLIBC_2.17"
#endif

/* A reference to the version that the C library keeps for them: it lets nobody link to the plain name any more. */
#define OLD(type, name, ...)                                         \
    __asm__(".symver old_" #name ", __pthread_" #name "@" OLDEST);   \
    extern int old_##name(type *, ##__VA_ARGS__)

OLD(pthread_mutex_t, mutex_lock);
OLD(pthread_mutex_t, mutex_trylock);
OLD(pthread_mutex_t, mutex_unlock);
OLD(pthread_mutex_t, mutex_init, const pthread_mutexattr_t *);
OLD(pthread_mutex_t, mutex_destroy);
OLD(pthread_rwlock_t, rwlock_rdlock);
OLD(pthread_rwlock_t, rwlock_tryrdlock);
OLD(pthread_rwlock_t, rwlock_wrlock);
OLD(pthread_rwlock_t, rwlock_trywrlock);
OLD(pthread_rwlock_t, rwlock_unlock);
OLD(pthread_rwlock_t, rwlock_init, const pthread_rwlockattr_t *);
OLD(pthread_rwlock_t, rwlock_destroy);

#define SHOW(call) printf("%-42s %d\n", #call, call)

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;

static void mutexes(void)
{
    SHOW(old_mutex_lock(&mutex));
    SHOW(pthread_mutex_trylock(&mutex));
    SHOW(pthread_mutex_unlock(&mutex));
    SHOW(pthread_mutex_lock(&mutex));
    SHOW(old_mutex_trylock(&mutex));
    SHOW(old_mutex_destroy(&mutex));
    SHOW(old_mutex_unlock(&mutex));
    SHOW(old_mutex_trylock(&mutex));
    SHOW(pthread_mutex_destroy(&mutex));
    SHOW(pthread_mutex_unlock(&mutex));
    SHOW(old_mutex_destroy(&mutex));
    SHOW(old_mutex_init(&mutex, NULL));
}

static void reader_writers(void)
{
    SHOW(old_rwlock_wrlock(&rwlock));
    SHOW(pthread_rwlock_tryrdlock(&rwlock));
    SHOW(pthread_rwlock_unlock(&rwlock));
    SHOW(pthread_rwlock_wrlock(&rwlock));
    SHOW(old_rwlock_tryrdlock(&rwlock));
    SHOW(old_rwlock_unlock(&rwlock));
    SHOW(old_rwlock_rdlock(&rwlock));
    SHOW(pthread_rwlock_trywrlock(&rwlock));
    SHOW(pthread_rwlock_tryrdlock(&rwlock));
    SHOW(old_rwlock_trywrlock(&rwlock));
    SHOW(pthread_rwlock_unlock(&rwlock));
    SHOW(old_rwlock_unlock(&rwlock));
    SHOW(old_rwlock_trywrlock(&rwlock));
    SHOW(pthread_rwlock_unlock(&rwlock));
    SHOW(old_rwlock_destroy(&rwlock));
    SHOW(old_rwlock_init(&rwlock, NULL));
}

int main(void)
{
    mutexes();
    reader_writers();
    mutexes();
    return 0;
}

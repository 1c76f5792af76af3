// A library that interposes pthread_mutex_lock itself, as a user's own might, and says on exit how often it was called
// from the program it is put under.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static int (*real_lock)(pthread_mutex_t *);
static long calls;

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    if (!real_lock) real_lock = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
    __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
    return real_lock(mutex);
}

__attribute__((destructor)) static void report(void) { fprintf(stderr, "other library saw calls: %d\n", calls > 0); }

// A program that exports functions of the C library's names itself and goes on to the next ones (dlsym), as profilers,
// allocators and test frameworks do. Link it with -rdynamic. With "namespace PLUGIN" it also loads a library into a
// namespace of its own (dlmopen), with a C library of its own.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int (*next_lock)(pthread_mutex_t *);
static int (*next_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long calls, created;

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    if (next_lock == NULL) next_lock = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
    __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
    return next_lock(mutex);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
    if (next_create == NULL)
        next_create = (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(RTLD_NEXT, "pthread_create");
    created++;
    return next_create(thread, attributes, start, argument);
}

static void *work(void *unused) {
    for (int i = 0; i < 1000; i++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(int argc, char **argv) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    printf("calls at least %d, created %ld\n", calls >= 3000, created);
    if (argc == 3 && strcmp(argv[1], "namespace") == 0) {
        void *plugin = dlmopen(LM_ID_NEWLM, argv[2], RTLD_NOW);
        printf("another namespace: %s\n", plugin ? "yes" : "no");
        if (plugin) dlclose(plugin);
    }
    return 0;
}

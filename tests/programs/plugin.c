// A library for plugin_host.c: acquires a mutex of its own in its constructor and when asked.
#include <pthread.h>

static pthread_mutex_t plugin_mutex = PTHREAD_MUTEX_INITIALIZER;

void plugin_acquire(int times) {
    for (int i = 0; i < times; i++) {
        pthread_mutex_lock(&plugin_mutex);
        pthread_mutex_unlock(&plugin_mutex);
    }
}

__attribute__((constructor)) static void loaded(void) { plugin_acquire(1); }

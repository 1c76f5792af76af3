/* Two threads that wait for each other's lock, taken by the function `stub` of the library that is named. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

typedef void stub_t(int (*)(pthread_mutex_t *), pthread_mutex_t *);

static pthread_mutex_t contended = PTHREAD_MUTEX_INITIALIZER;
static stub_t *stub;

static void *contend(void *unused)
{
    for (int i = 0; i < 100; i++) {
        stub(pthread_mutex_lock, &contended);
        usleep(500);
        pthread_mutex_unlock(&contended);
    }
    return unused;
}

int main(int count, char **words)
{
    pthread_t threads[2];
    void *library = count > 1 ? dlopen(words[1], RTLD_NOW) : NULL;
    if (!library || !(stub = (stub_t *)dlsym(library, "stub")))
        return 1;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, contend, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

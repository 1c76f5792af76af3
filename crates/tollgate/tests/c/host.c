/* Loads a plug-in that has the library, uses it in threads that stay, and unloads it, again and again. What the library had left
 * behind in a thread would be found by the kernel when it is not there any more. Says "done" at the end.
 *     host PLUGIN [LIBRARY]
 * LIBRARY is what must be gone with the plug-in. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#include <locktoll.h>

#include "check.h"

enum { THREADS = 4, LOADS = 40, ROUNDS = 2000 };

/* The plug-in's users keep it while the code that locks it comes and goes. */
static locktoll_mutex mutex = LOCKTOLL_MUTEX_INIT;
static long count;
static void (*contend)(locktoll_mutex *, long *, int);
static pthread_barrier_t step;

static void *stay(void *unused)
{
    (void)unused;
    for (int i = 0; i < LOADS; i++) {
        pthread_barrier_wait(&step); /* loaded */
        contend(&mutex, &count, ROUNDS);
        pthread_barrier_wait(&step); /* used */
        pthread_barrier_wait(&step); /* unloaded */
        for (int nap = 0; nap < 5; nap++) {
            struct timespec short_while = { 0, 50000 };
            nanosleep(&short_while, NULL);
        }
    }
    return NULL;
}

int main(int words, char **word)
{
    CHECK(words >= 2);
    pthread_t threads[THREADS];
    pthread_barrier_init(&step, NULL, THREADS + 1);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, stay, NULL) == 0);
    for (int i = 0; i < LOADS; i++) {
        void *plugin = dlopen(word[1], RTLD_NOW | RTLD_LOCAL);
        if (plugin == NULL)
            fprintf(stderr, "%s\n", dlerror());
        CHECK(plugin != NULL);
        void *found = dlsym(plugin, "contend");
        CHECK(found != NULL);
        memcpy(&contend, &found, sizeof found);
        long (*counted)(void);
        found = dlsym(plugin, "counted");
        CHECK(found != NULL);
        memcpy(&counted, &found, sizeof found);
        pthread_barrier_wait(&step);
        pthread_barrier_wait(&step);
        CHECK(counted() == (long)THREADS * ROUNDS);
        CHECK(dlclose(plugin) == 0);
        CHECK(dlopen(word[1], RTLD_NOW | RTLD_NOLOAD) == NULL);
        if (words > 2)
            CHECK(dlopen(word[2], RTLD_NOW | RTLD_NOLOAD) == NULL);
        pthread_barrier_wait(&step);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK(count == (long)LOADS * THREADS * ROUNDS);
    puts("done");
    return 0;
}

// Makes, uses and throws away mutexes for a while: ROUNDS times over, 4,096 of them in the same memory, each initialised,
// acquired twice and destroyed. The first argument says how many rounds.
#include <pthread.h>
#include <stdlib.h>

enum { MUTEXES = 4096 };

static void use(pthread_mutex_t *mutex) {
    pthread_mutex_init(mutex, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(mutex);
        pthread_mutex_unlock(mutex);
    }
    pthread_mutex_destroy(mutex);
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 10;
    pthread_mutex_t *mutexes = malloc(MUTEXES * sizeof *mutexes);
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < MUTEXES; i++)
            use(&mutexes[i]);
    free(mutexes);
    return 0;
}

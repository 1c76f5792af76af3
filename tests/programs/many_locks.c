/* Takes COUNT locks, all alive at once, once each in take_each.
 *
 *     many_locks COUNT */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static void take_each(pthread_mutex_t *locks, long count) {
    for (long i = 0; i < count; i++) {
        pthread_mutex_lock(&locks[i]);
        pthread_mutex_unlock(&locks[i]);
    }
}

int main(int argc, char **argv) {
    long count = argc == 2 ? atol(argv[1]) : 0;
    /* Zeros are an unlocked default mutex in glibc. */
    pthread_mutex_t *locks = count > 0 ? calloc(count, sizeof *locks) : NULL;
    if (!locks)
        return 2;
    take_each(locks, count);
    printf("took %ld locks\n", count);
    return 0;
}

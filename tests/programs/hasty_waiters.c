// Threads that are woken while they are still on their way to sleep: each thinks for some microseconds, then holds one of a few mutexes
// for about as long as it takes to enter the kernel. Most of the time, nobody waits.
//
// Argument: threads. Says "ready", and works until standard input ends.
#include "measure.h"
#include <stdatomic.h>
#include <stdlib.h>

enum { MUTEXES = 4 };

static struct {
    _Alignas(128) pthread_mutex_t mutex;
} hasty[MUTEXES];
static atomic_int is_over;

static void *work(void *argument) {
    unsigned dice = (unsigned)(size_t)argument * 2654435761u + 1;
    while (!is_over) {
        dice = dice * 1664525 + 1013904223;
        spin_ns(dice >> 17 & 16383);
        pthread_mutex_t *mutex = &hasty[dice >> 10 & (MUTEXES - 1)].mutex;
        pthread_mutex_lock(mutex);
        spin_ns(2000 + (dice >> 20 & 2047));
        pthread_mutex_unlock(mutex);
    }
    return NULL;
}

int main(int argc, char **argv) {
    int threads = argc > 1 ? atoi(argv[1]) : 4;
    pthread_t *ids = calloc(threads, sizeof *ids);
    char line[16];

    for (int i = 0; i < MUTEXES; i++) pthread_mutex_init(&hasty[i].mutex, NULL);
    for (int i = 0; i < threads; i++) pthread_create(&ids[i], NULL, work, (void *)(size_t)(i + 1));
    puts("ready");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin))
        ;
    is_over = 1;
    for (int i = 0; i < threads; i++) pthread_join(ids[i], NULL);
    return 0;
}

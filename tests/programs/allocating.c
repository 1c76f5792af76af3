// Threads that allocate, free each other's memory, and take locks in that memory: for allocators of the user's own that
// are preloaded too. An allocator takes locks inside malloc, before main and at the very end.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, TURNS = 20000, SLOTS = 64 };

struct item {
    pthread_mutex_t mutex;
    unsigned bytes;
    unsigned char payload[];
};

static struct item *slots[SLOTS];
static pthread_mutex_t slot_mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned long long sum;

static void *work(void *argument) {
    unsigned state = 7 + (unsigned)(long)argument;
    unsigned long long own = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        state = state * 1664525 + 1013904223;
        unsigned bytes = state >> 16 & (turn % 100 ? 0xff : 0xffff);
        struct item *fresh = malloc(sizeof *fresh + bytes);
        pthread_mutex_init(&fresh->mutex, NULL);
        fresh->bytes = bytes;
        memset(fresh->payload, 1, bytes);
        pthread_mutex_lock(&slot_mutex);
        struct item *old = slots[state % SLOTS];
        slots[state % SLOTS] = fresh;
        pthread_mutex_unlock(&slot_mutex);
        if (old == NULL) continue;
        pthread_mutex_lock(&old->mutex);
        for (unsigned i = 0; i < old->bytes; i++) own += old->payload[i];
        pthread_mutex_unlock(&old->mutex);
        pthread_mutex_destroy(&old->mutex);
        free(old);
    }
    pthread_mutex_lock(&slot_mutex);
    sum += own;
    pthread_mutex_unlock(&slot_mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < SLOTS; i++)
        if (slots[i] != NULL) {
            for (unsigned k = 0; k < slots[i]->bytes; k++) sum += slots[i]->payload[k];
            free(slots[i]);
        }
    printf("sum %llu\n", sum);
    return 0;
}

// mutex_early THREADS: an allocator that guards itself by a mutex, used by the dynamic linker before any constructor has
// run; mutexes acquired in constructors and destructors and held from the one to the other. Succeeds if all of it works.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t heap_lock = PTHREAD_MUTEX_INITIALIZER;
static _Alignas(16) char heap[64 << 20];
static size_t used;
static long calls;
static pthread_mutex_t held_throughout = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t made_early;

static void *take(size_t size, size_t alignment) {
    void *result = NULL;
    pthread_mutex_lock(&heap_lock);
    calls++;
    size_t begin = (used + 16 + alignment - 1) / alignment * alignment;
    if (begin + size <= sizeof heap) {
        used = begin + size;
        memcpy(&heap[begin - sizeof(size_t)], &size, sizeof size);
        result = &heap[begin];
    }
    pthread_mutex_unlock(&heap_lock);
    return result;
}

void *malloc(size_t size) { return take(size, 16); }
void free(void *memory) {
    if (!memory) return;
    pthread_mutex_lock(&heap_lock);
    calls++;
    pthread_mutex_unlock(&heap_lock);
}
void *calloc(size_t count, size_t size) {
    void *memory = take(count * size, 16);
    return memory ? memset(memory, 0, count * size) : NULL;
}
void *realloc(void *old, size_t size) {
    void *memory = take(size, 16);
    if (memory && old) {
        size_t before;
        memcpy(&before, (char *)old - sizeof before, sizeof before);
        memcpy(memory, old, before < size ? before : size);
    }
    return memory;
}
void *memalign(size_t alignment, size_t size) { return take(size, alignment < 16 ? 16 : alignment); }
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void **memory, size_t alignment, size_t size) {
    *memory = memalign(alignment, size);
    return *memory ? 0 : 12;
}

__attribute__((constructor(101))) static void first(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&made_early, &attributes);
    pthread_mutex_lock(&made_early);
    pthread_mutex_lock(&held_throughout);
}

__attribute__((destructor)) static void last(void) {
    if (pthread_mutex_trylock(&held_throughout) == 0) _exit(3);
    if (pthread_mutex_unlock(&held_throughout) || pthread_mutex_unlock(&made_early)) _exit(4);
    if (pthread_mutex_unlock(&made_early) == 0) _exit(5);
}

static void *work(void *unused) {
    for (int i = 0; i < 300; i++) {
        char *text = malloc(64);
        snprintf(text, 64, "%d", i);
        text = realloc(text, 128);
        if (atoi(text) != i) _exit(6);
        free(text);
    }
    return unused;
}

int main(int argc, char **argv) {
    long threads = argc > 1 ? atol(argv[1]) : 4;
    pthread_t ids[64];
    if (threads < 1 || threads > 64) return 2;
    if (pthread_mutex_lock(&made_early) || pthread_mutex_unlock(&made_early)) return 7;
    long before = calls;
    for (long i = 0; i < threads; i++) pthread_create(&ids[i], NULL, work, NULL);
    for (long i = 0; i < threads; i++) pthread_join(ids[i], NULL);
    return calls - before < threads * 900;
}

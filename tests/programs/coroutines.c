// Coroutines on stacks of their own (makecontext), with pages around them that may not be touched, take locks while others
// wait for them, and give them back on another stack of the same thread. A recorder that reads up the stack must stop.
#define _GNU_SOURCE
#include "measure.h"
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { STACK_BYTES = 32 << 10, PAGE = 4096, TURNS = 100 };

static pthread_mutex_t contended = PTHREAD_MUTEX_INITIALIZER, handed = PTHREAD_MUTEX_INITIALIZER;
static long shared;

struct pair {
    ucontext_t first, second, back;
    int is_holding;
};

__attribute__((noinline)) static void take_one(struct pair *pair) {
    pthread_mutex_lock(&contended);
    shared++;
    if (shared % 32 == 0) sleep_ns(100000);
    pthread_mutex_unlock(&contended);
    (void)pair;
}

static void first(unsigned high, unsigned low) {
    struct pair *pair = (struct pair *)((unsigned long)high << 32 | low);
    for (int i = 0; i < TURNS; i++) {
        take_one(pair);
        // Taken here and given back over there.
        pthread_mutex_lock(&handed);
        swapcontext(&pair->first, &pair->second);
    }
    swapcontext(&pair->first, &pair->back);
}

static void second(unsigned high, unsigned low) {
    struct pair *pair = (struct pair *)((unsigned long)high << 32 | low);
    for (;;) {
        pthread_mutex_unlock(&handed);
        take_one(pair);
        swapcontext(&pair->second, &pair->first);
    }
}

static void make(ucontext_t *context, struct pair *pair, void (*start)(unsigned, unsigned)) {
    char *memory = mmap(NULL, STACK_BYTES + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(memory + PAGE, STACK_BYTES, PROT_READ | PROT_WRITE);
    getcontext(context);
    context->uc_stack.ss_sp = memory + PAGE;
    context->uc_stack.ss_size = STACK_BYTES;
    context->uc_link = NULL;
    makecontext(context, (void (*)(void))start, 2, (unsigned)((unsigned long)pair >> 32), (unsigned)(unsigned long)pair);
}

static void *run(void *unused) {
    struct pair *pair = calloc(1, sizeof *pair);
    make(&pair->first, pair, first);
    make(&pair->second, pair, second);
    swapcontext(&pair->back, &pair->first);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    printf("shared %ld\n", shared);
    return 0;
}

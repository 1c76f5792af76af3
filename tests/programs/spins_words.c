// A thread waits busily for three words, one after the other: one next to a lock in a block of the heap, one in a file that is mapped, and
// one in a block of the heap without a lock. The argument is the file.
#include "measure.h"
#include <stdlib.h>
#include <sys/mman.h>

struct session {
    pthread_mutex_t lock;
    volatile int ready;
};

static struct session *make_session(void) {
    struct session *made = calloc(1, 4096);
    pthread_mutex_init(&made->lock, NULL);
    return made;
}

static void *set_late(void *word) {
    sleep_ns(400000000);
    *(volatile int *)word = 1;
    return NULL;
}

static void wait_for(volatile int *word) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, set_late, (void *)word)) abort();
    while (!*word)
        ;
    pthread_join(thread, NULL);
}

int main(int count, char **arguments) {
    if (count < 2) return 2;
    struct session *session = make_session();
    pthread_mutex_lock(&session->lock);
    pthread_mutex_unlock(&session->lock);
    wait_for(&session->ready);
    int file = open(arguments[1], O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, 4096)) return 1;
    char *mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped == MAP_FAILED) return 1;
    wait_for((volatile int *)(mapped + 0x40));
    char *plain = calloc(1, 4096);
    wait_for((volatile int *)(plain + 2048));
    return 0;
}

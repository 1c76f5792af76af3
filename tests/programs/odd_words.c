// Threads that wait for good at words that look like taken mutexes and are none: what says who owns them is stale, is of another process,
// cannot be read, or is gone. And one at a word that no lock has. Each waits in a function of its own: at_stale, at_foreign, at_edge,
// at_gone, at_event.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// A mutex of the GNU C library that is taken and waited for: its word is 2, and its owner's thread id lies two words on.
#define TAKEN 2
#define OWNER 2

// No thread has this number: it is above the kernel's largest.
static uint32_t stale[8] = {[0] = TAKEN, [OWNER] = 0x3ffffff0};
// The first process of the machine, or of the container, never waits or holds here.
static uint32_t foreign[8] = {[0] = TAKEN, [OWNER] = 1};
static uint32_t event = 7;
static uint32_t *edge, *gone;

static void wait_at(uint32_t *word, uint32_t value) {
    for (;;) syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

#define WAITER(name, word, value)                                        \
    __attribute__((noinline)) static void *name(void *unused) {          \
        wait_at(word, value);                                            \
        return unused;                                                   \
    }

WAITER(at_stale, stale, TAKEN)
WAITER(at_foreign, foreign, TAKEN)
WAITER(at_edge, edge, TAKEN)
WAITER(at_gone, gone, TAKEN)
WAITER(at_event, &event, 7)

int main(void) {
    long page = sysconf(_SC_PAGESIZE);
    char *memory = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return 1;
    // The owner of the one would lie in a page that is not there; all of the other will be gone.
    edge = (uint32_t *)(memory + page) - 1;
    gone = (uint32_t *)(memory + 2 * page);
    *edge = *gone = TAKEN;
    munmap(memory + page, page);
    void *(*const waiters[])(void *) = {at_stale, at_foreign, at_edge, at_gone, at_event};
    for (int i = 0; i < 5; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, waiters[i], NULL)) return 1;
    }
    // Long enough for all to sleep, however busy the machine is.
    usleep(200000);
    munmap(gone, page);
    puts("ready");
    fflush(stdout);
    for (char line[16]; fgets(line, sizeof line, stdin);)
        ;
    // The threads never end.
    exit(0);
}

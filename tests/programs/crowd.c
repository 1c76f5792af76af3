/* As much of everything as it is told: crowd THREADS WORDS STACKS MAPPINGS.
 *
 * THREADS begin and end, some at once; each of WORDS is waited for once, for a moment; one word is waited for from each of STACKS
 * different stacks; and there are MAPPINGS of code, in one file and in none. Prints "ready", goes through all of it again and again, and
 * prints "round" after each time, until standard input ends. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { AT_ONCE = 64 };

static volatile int over;

static void wait_for(unsigned *word)
{
    struct timespec moment = {0, 1000};
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, *word, &moment, NULL, 0);
}

static void *short_life(void *word)
{
    wait_for(word);
    return NULL;
}

/* Two calls to choose from at each level: the bits of `path` are the stack. */
__attribute__((noinline)) static void deeper(unsigned path, int levels, unsigned *word)
{
    if (!levels)
        wait_for(word);
    else if (path & 1)
        deeper(path >> 1, levels - 1, word);
    else
        deeper(path >> 1, levels - 1, word);
    __asm__ volatile("" : : "r"(word) : "memory");
}

static void *until_the_end(void *unused)
{
    char byte;
    while (read(0, &byte, 1) > 0)
        ;
    over = 1;
    return unused;
}

int main(int count, char **words)
{
    long threads, single, stacks, mappings;
    unsigned *memory;
    pthread_t reader, some[AT_ONCE];
    if (count < 5)
        return 2;
    threads = atol(words[1]), single = atol(words[2]), stacks = atol(words[3]), mappings = atol(words[4]);
    memory = mmap(NULL, (single + 1) * 64, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_create(&reader, NULL, until_the_end, NULL);
    for (long i = 0; i < mappings && !over; i++) {
        int file = open("/proc/self/exe", O_RDONLY);
        /* Neighbours of one sort would be one mapping. */
        mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, i % 2 * 4096);
        close(file);
    }
    puts("ready");
    fflush(stdout);
    while (!over) {
        for (long i = 0; i < single && !over; i++)
            wait_for(&memory[16 * (i + 1)]);
        for (long i = 0; i < stacks && !over; i++)
            deeper(i, 17, memory);
        for (long i = 0; i < threads && !over; i += AT_ONCE) {
            for (int k = 0; k < AT_ONCE; k++)
                pthread_create(&some[k], NULL, short_life, memory);
            for (int k = 0; k < AT_ONCE; k++)
                pthread_join(some[k], NULL);
        }
        puts("round");
        fflush(stdout);
    }
    return 0;
}

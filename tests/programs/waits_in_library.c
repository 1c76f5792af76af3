/* A thread that waits for a lock for ever, in a call that is made by code of the caller's choice:
 *
 *   waits_in_library FILE       the function `stub` of the library FILE
 *   waits_in_library generated  the same instructions in memory of no file
 *
 * Prints "ready" once it waits. A line "toggle" on standard input has FILE cut short and made whole again, in turn, some
 * times a second. Ends with standard input. x86-64. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef void stub_t(int (*)(pthread_mutex_t *), pthread_mutex_t *);

static pthread_mutex_t never = PTHREAD_MUTEX_INITIALIZER;
static stub_t *stub;

static void *wait_for_ever(void *unused)
{
    stub(pthread_mutex_lock, &never);
    return unused;
}

static stub_t *generated(void)
{
    /* push %rbp; mov %rsp,%rbp; mov %rdi,%rax; mov %rsi,%rdi; call *%rax; pop %rbp; ret */
    static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0x48, 0x89, 0xf8, 0x48, 0x89, 0xf7, 0xff, 0xd0, 0x5d, 0xc3};
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(page, code, sizeof code);
    return (stub_t *)page;
}

static stub_t *of_library(const char *path)
{
    void *library = dlopen(path, RTLD_NOW);
    if (!library) {
        puts(dlerror());
        exit(1);
    }
    return (stub_t *)dlsym(library, "stub");
}

static void *toggle(void *path)
{
    int file = open(path, O_RDWR);
    struct stat found;
    char *whole;
    fstat(file, &found);
    whole = malloc(found.st_size);
    if (pread(file, whole, found.st_size, 0) != found.st_size)
        return NULL;
    for (;;) {
        if (ftruncate(file, 4096) || pwrite(file, whole, found.st_size, 0) != found.st_size)
            return NULL;
        usleep(20000);
    }
}

int main(int count, char **words)
{
    pthread_t thread, toggler;
    char line[16];
    if (count < 2)
        return 2;
    stub = strcmp(words[1], "generated") ? of_library(words[1]) : generated();
    if (!stub)
        return 1;
    pthread_mutex_lock(&never);
    pthread_create(&thread, NULL, wait_for_ever, NULL);
    usleep(200000);
    puts("ready");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin))
        if (!strcmp(line, "toggle\n"))
            pthread_create(&toggler, NULL, toggle, words[1]);
    /* The library's own last words may not be there any more. */
    _exit(0);
}

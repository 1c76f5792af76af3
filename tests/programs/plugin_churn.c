// Loads and unloads the library named by the first argument over and over on one thread, while another acquires a
// mutex from as many places in generated code as the second argument says.
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int done;

static void *churn(void *path) {
    while (!done) {
        void *plugin = dlopen(path, RTLD_NOW);
        if (plugin)
            dlclose(plugin);
    }
    return NULL;
}

// Calls its second argument with its first.
#if defined(__x86_64__)
static const unsigned char code[] = {
    0x48, 0x83, 0xec, 0x08, // sub rsp, 8
    0xff, 0xd6,             // call rsi
    0x48, 0x83, 0xc4, 0x08, // add rsp, 8
    0xc3,                   // ret
};
#elif defined(__aarch64__)
static const unsigned int code[] = {
    0xa9bf7bfd, // stp x29, x30, [sp, #-16]!
    0xd63f0020, // blr x1
    0xa8c17bfd, // ldp x29, x30, [sp], #16
    0xd65f03c0, // ret
};
#endif

typedef int (*place)(pthread_mutex_t *, int (*)(pthread_mutex_t *));

int main(int argc, char **argv) {
    int places = argc > 2 ? atoi(argv[2]) : 1000;
    char *memory = mmap(NULL, (size_t)places * 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return 1;
    for (int i = 0; i < places; i++)
        memcpy(memory + i * 16, code, sizeof code);
    mprotect(memory, (size_t)places * 16, PROT_READ | PROT_EXEC);
    __builtin___clear_cache(memory, memory + places * 16);

    pthread_t thread;
    pthread_create(&thread, NULL, churn, argv[1]);
    for (int i = 0; i < places; i++) {
        ((place)(void *)(memory + i * 16))(&mutex, pthread_mutex_lock);
        pthread_mutex_unlock(&mutex);
    }
    done = 1;
    pthread_join(thread, NULL);
    puts("churned");
    return 0;
}

// Spin locks under more threads than any machine here has processors, with tries, lives of a moment, and one in shared memory
// between processes.
#include "show.h"
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 64, ROUNDS = 500 };

struct counted {
    pthread_spinlock_t lock;
    long count;
};

static struct counted here;

static void *count_up(void *argument) {
    struct counted *it = argument;
    for (int round = 0; round < ROUNDS; round++) {
        if (round % 4 == 0)
            while (pthread_spin_trylock(&it->lock) != 0) sched_yield();
        else
            pthread_spin_lock(&it->lock);
        it->count++;
        pthread_spin_unlock(&it->lock);
    }
    return NULL;
}

static void oversubscribed(void) {
    pthread_t threads[THREADS];
    SHOW(pthread_spin_init(&here.lock, PTHREAD_PROCESS_PRIVATE));
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, count_up, &here);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    printf("counted %ld\n", here.count);
    SHOW(pthread_spin_destroy(&here.lock));
}

static void lives(void) {
    for (int life = 0; life < 3; life++) {
        // Forgotten while it is held, and in memory that was anything.
        here.lock = life - 1;
        SHOW(pthread_spin_init(&here.lock, PTHREAD_PROCESS_PRIVATE));
        SHOW(pthread_spin_lock(&here.lock));
        SHOW(pthread_spin_trylock(&here.lock));
    }
    SHOW(pthread_spin_unlock(&here.lock));
    SHOW(pthread_spin_destroy(&here.lock));
}

static void between_processes(void) {
    struct counted *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    SHOW(pthread_spin_init(&shared->lock, PTHREAD_PROCESS_SHARED));
    fflush(stdout);
    pid_t child = fork();
    for (int i = 0; i < 4; i++) count_up(shared);
    if (child == 0) _exit(0);
    waitpid(child, NULL, 0);
    printf("counted %ld\n", shared->count);
}

int main(void) {
    oversubscribed();
    lives();
    between_processes();
    return 0;
}

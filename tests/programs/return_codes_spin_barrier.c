// Calls every function on spin locks and barriers where POSIX or the GNU C library says what it returns.
#include "show.h"
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_spinlock_t spin;
static pthread_barrier_t barrier;

static void *try_spin(void *unused) {
    SHOW(pthread_spin_trylock(&spin));
    return unused;
}

static void *meet(void *serial) {
    for (int round = 0; round < 50; round++) {
        int result = pthread_barrier_wait(&barrier);
        if (result == PTHREAD_BARRIER_SERIAL_THREAD)
            __atomic_fetch_add((int *)serial, 1, __ATOMIC_RELAXED);
        else if (result != 0)
            printf("round %d: %d\n", round, result);
    }
    return NULL;
}

static void spins(int shared) {
    pthread_t thread;
    printf("-- spin lock, %s\n", shared ? "process-shared" : "private");
    SHOW(pthread_spin_init(&spin, shared));
    SHOW(pthread_spin_lock(&spin));
    SHOW(pthread_spin_trylock(&spin));
    pthread_create(&thread, NULL, try_spin, NULL);
    pthread_join(thread, NULL);
    SHOW(pthread_spin_unlock(&spin));
    SHOW(pthread_spin_trylock(&spin));
    SHOW(pthread_spin_unlock(&spin));
    SHOW(pthread_spin_destroy(&spin));
}

static void barriers(unsigned threads) {
    pthread_t all[8];
    int serial = 0;
    printf("-- barrier for %u\n", threads);
    SHOW(pthread_barrier_init(&barrier, NULL, threads));
    for (unsigned i = 0; i < threads; i++) pthread_create(&all[i], NULL, meet, &serial);
    for (unsigned i = 0; i < threads; i++) pthread_join(all[i], NULL);
    printf("serial %d\n", serial);
    SHOW(pthread_barrier_destroy(&barrier));
}

static void between_processes(void) {
    pthread_barrier_t *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_barrierattr_t attributes;
    pthread_barrierattr_init(&attributes);
    pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    puts("-- barrier between processes");
    SHOW(pthread_barrier_init(shared, &attributes, 2));
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) _exit(pthread_barrier_wait(shared) == 0 ? 1 : 0);
    int serial = pthread_barrier_wait(shared) == 0 ? 1 : 0, status;
    waitpid(child, &status, 0);
    printf("released as others: %d\n", serial + WEXITSTATUS(status));
}

int main(void) {
    spins(PTHREAD_PROCESS_PRIVATE);
    spins(PTHREAD_PROCESS_SHARED);
    SHOW(pthread_barrier_init(&barrier, NULL, 0));
    SHOW(pthread_barrier_init(&barrier, NULL, 0xffffffffu));
    barriers(1);
    barriers(2);
    barriers(5);
    between_processes();
    return 0;
}

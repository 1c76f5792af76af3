// What passes through syscall(): the futex operations with their results, other calls with six arguments, and threads
// that end and fork by it.
#include "show.h"
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static uint32_t word, other;

static void *wake_until_done(void *done) {
    do {
        sleep_ms(1);
        syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    } while (!__atomic_load_n((int *)done, __ATOMIC_ACQUIRE));
    return NULL;
}

static volatile int handled;
static void handle(int signal) {
    (void)signal;
    handled = 1;
}

static void *interrupt_until_done(void *done) {
    do {
        sleep_ms(1);
        kill(getpid(), SIGUSR1);
    } while (!__atomic_load_n((int *)done, __ATOMIC_ACQUIRE));
    return NULL;
}

static void futexes(void) {
    struct timespec short_time = {0, 2000000}, nonsense = {0, -1}, past = {1, 0};
    word = 5;
    SHOW_ERRNO(syscall(SYS_futex, &word, FUTEX_WAIT, 4, NULL));
    SHOW_ERRNO(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 4, NULL));
    SHOW_ERRNO(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 5, &short_time));
    SHOW_ERRNO(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 5, &nonsense));
    SHOW_ERRNO(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 5, &past, NULL, ~0u));
    SHOW_ERRNO(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME, 5, &past, NULL, ~0u));
    SHOW_ERRNO(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 5, NULL, NULL, 0));
    SHOW_ERRNO(syscall(SYS_futex, (char *)&word + 1, FUTEX_WAIT_PRIVATE, 5, NULL));
    SHOW_ERRNO(syscall(SYS_futex, NULL, FUTEX_WAIT_PRIVATE, 5, NULL));
    SHOW_ERRNO(syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX));
    SHOW_ERRNO(syscall(SYS_futex, &word, 77, 0));
    SHOW_ERRNO(syscall(SYS_futex, &word, FUTEX_CMP_REQUEUE_PRIVATE, 1, (void *)1, &other, 4));
    SHOW_ERRNO(syscall(SYS_futex, &word, FUTEX_CMP_REQUEUE_PRIVATE, 1, (void *)1, &other, 5));
    SHOW_ERRNO(syscall(SYS_futex, &word, FUTEX_WAKE_OP_PRIVATE, 1, (void *)1, &other,
                       FUTEX_OP(FUTEX_OP_ADD, 3, FUTEX_OP_CMP_EQ, 0)));
    printf("other %u\n", other);
    uint32_t inherited = 0;
    SHOW_ERRNO(syscall(SYS_futex, &inherited, FUTEX_LOCK_PI_PRIVATE, 0, NULL));
    SHOW_ERRNO(inherited == (uint32_t)gettid());
    SHOW_ERRNO(syscall(SYS_futex, &inherited, FUTEX_LOCK_PI_PRIVATE, 0, NULL));
    SHOW_ERRNO(syscall(SYS_futex, &inherited, FUTEX_UNLOCK_PI_PRIVATE, 0, NULL));

    pthread_t thread;
    int done = 0;
    pthread_create(&thread, NULL, wake_until_done, &done);
    SHOW_ERRNO(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 5, NULL));
    __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
    pthread_join(thread, NULL);

    struct sigaction action = {.sa_handler = handle};
    sigaction(SIGUSR1, &action, NULL);
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    done = 0;
    // Blocked in the thread that sends, so that this one is interrupted.
    pthread_sigmask(SIG_BLOCK, &blocked, NULL);
    pthread_create(&thread, NULL, interrupt_until_done, &done);
    pthread_sigmask(SIG_UNBLOCK, &blocked, NULL);
    SHOW_ERRNO(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 5, NULL));
    __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
    pthread_join(thread, NULL);
    printf("handled %d\n", handled);

#ifdef SYS_futex_waitv
    struct {
        uint64_t value, address;
        uint32_t flags, reserved;
    } several[2] = {{5, (uintptr_t)&word, 2 | 128, 0}, {9, (uintptr_t)&other, 2 | 128, 0}};
    SHOW_ERRNO(syscall(SYS_futex_waitv, several, 2, 0, NULL, CLOCK_MONOTONIC));
#endif
}

static void *end_by_system_call(void *unused) {
    (void)unused;
    syscall(SYS_exit, 0);
    return NULL;
}

static void others(void) {
    SHOW_ERRNO(syscall(SYS_getpid) == getpid());
    SHOW_ERRNO(syscall(SYS_close, -1));
    SHOW_ERRNO(syscall(123456));
    long mapped = syscall(SYS_mmap, NULL, 8192L, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1L, 0L);
    SHOW_ERRNO(mapped == -1);
    *(volatile char *)mapped = 1;
    SHOW_ERRNO(syscall(SYS_munmap, mapped, 8192L));
    // The sixth argument counts: an offset that is no multiple of the page is refused.
    SHOW_ERRNO(syscall(SYS_mmap, NULL, 8192L, PROT_READ, MAP_PRIVATE, 0L, 1L));
    fflush(stdout);
    long child = syscall(SYS_clone, SIGCHLD, 0L, 0L, 0L, 0L);
    if (child == 0) {
        static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
        syscall(SYS_exit_group, 9);
    }
    int status = 0;
    waitpid((pid_t)child, &status, 0);
    printf("child %d\n", WEXITSTATUS(status));
    pthread_t thread;
    pthread_create(&thread, NULL, end_by_system_call, NULL);
    SHOW(pthread_join(thread, NULL));
}

int main(void) {
    futexes();
    others();
    return 0;
}

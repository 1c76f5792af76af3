// Robust mutexes of every kind whose owner died, by every function that acquires; mutexes destroyed while they
// are held.
#include "show.h"
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t *mutex;

static int make(int type, int protocol, int robust) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    pthread_mutexattr_setprotocol(&attributes, protocol);
    pthread_mutexattr_setrobust(&attributes, robust);
    return pthread_mutex_init(mutex, &attributes);
}

static void *take_and_die(void *unused) {
    pthread_mutex_lock(mutex);
    return unused;
}

static void *try_to_unlock(void *unused) {
    SHOW(pthread_mutex_unlock(mutex));
    SHOW(pthread_mutex_trylock(mutex));
    return unused;
}

static void in_a_thread(void *(*what)(void *)) {
    pthread_t thread;
    pthread_create(&thread, NULL, what, NULL);
    pthread_join(thread, NULL);
}

static void robust(const char *name, int type, int protocol) {
    printf("-- robust, %s\n", name);
    SHOW(make(type, protocol, PTHREAD_MUTEX_ROBUST));
    SHOW(pthread_mutex_consistent(mutex));
    struct timespec far = in_ms(CLOCK_REALTIME, 60000), far_monotonic = in_ms(CLOCK_MONOTONIC, 60000);
    for (int way = 0; way < 4; way++) {
        // The kernel's own queue knows one clock only.
        if (way == 3 && protocol == PTHREAD_PRIO_INHERIT) continue;
        in_a_thread(take_and_die);
        if (way == 0) SHOW(pthread_mutex_lock(mutex));
        if (way == 1) SHOW(pthread_mutex_trylock(mutex));
        if (way == 2) SHOW(pthread_mutex_timedlock(mutex, &far));
        if (way == 3) SHOW(pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &far_monotonic));
        SHOW(pthread_mutex_consistent(mutex));
        SHOW(pthread_mutex_consistent(mutex));
        in_a_thread(try_to_unlock);
        SHOW(pthread_mutex_unlock(mutex));
    }
    in_a_thread(take_and_die);
    SHOW(pthread_mutex_trylock(mutex));
    SHOW(pthread_mutex_unlock(mutex));
    puts("not recoverable");
    SHOW(pthread_mutex_lock(mutex));
    SHOW(pthread_mutex_timedlock(mutex, &far));
    SHOW(pthread_mutex_consistent(mutex));
    SHOW(pthread_mutex_destroy(mutex));
    SHOW(make(type, protocol, PTHREAD_MUTEX_ROBUST));
    SHOW(pthread_mutex_lock(mutex));
    SHOW(pthread_mutex_unlock(mutex));
}

static void destroyed_while_held(void) {
    puts("-- destroyed while held");
    for (int type = PTHREAD_MUTEX_NORMAL; type <= PTHREAD_MUTEX_ADAPTIVE_NP; type++) {
        make(type, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
        SHOW(pthread_mutex_lock(mutex));
        SHOW(pthread_mutex_destroy(mutex));
        SHOW(pthread_mutex_unlock(mutex));
        SHOW(pthread_mutex_destroy(mutex));
    }
}

static void owners_process_is_killed(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    puts("-- the owner's process is killed while another waits");
    SHOW(pthread_mutex_init(mutex, &attributes));
    int held[2];
    if (pipe(held) != 0) return;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        pthread_mutex_lock(mutex);
        if (write(held[1], "", 1) != 1) _exit(1);
        sleep_ms(10);
        __builtin_trap();
    }
    char byte;
    if (read(held[0], &byte, 1) != 1) return;
    SHOW(pthread_mutex_lock(mutex));
    SHOW(pthread_mutex_consistent(mutex));
    SHOW(pthread_mutex_unlock(mutex));
    int status;
    waitpid(child, &status, 0);
    printf("signalled %d\n", WIFSIGNALED(status));
}

int main(void) {
    mutex = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    robust("normal", PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE);
    robust("error-check", PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_NONE);
    robust("recursive", PTHREAD_MUTEX_RECURSIVE, PTHREAD_PRIO_NONE);
    robust("adaptive", PTHREAD_MUTEX_ADAPTIVE_NP, PTHREAD_PRIO_NONE);
    robust("priority-inheriting", PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT);
    destroyed_while_held();
    owners_process_is_killed();
    return 0;
}

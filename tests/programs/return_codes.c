// Calls every function on every type of mutex where POSIX or the GNU C library says what it returns, and prints what it
// returned and whether errno was left alone. The output must be the same bare and recorded.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SHOW(call)                                             \
    do {                                                       \
        errno = 77;                                            \
        int result = (call);                                   \
        printf("%-58s %d%s\n", #call, result, errno == 77 ? "" : " errno changed"); \
    } while (0)

static pthread_mutex_t *robust_mutex;

static struct timespec in_ms(clockid_t clock, long ms) {
    struct timespec time;
    clock_gettime(clock, &time);
    time.tv_nsec += ms * 1000000L;
    time.tv_sec += time.tv_nsec / 1000000000L;
    time.tv_nsec %= 1000000000L;
    return time;
}

static void make(pthread_mutex_t *mutex, int type, int protocol, int robust, int shared) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    pthread_mutexattr_setprotocol(&attributes, protocol);
    pthread_mutexattr_setrobust(&attributes, robust);
    pthread_mutexattr_setpshared(&attributes, shared);
    pthread_mutex_init(mutex, &attributes);
}

static void *lock_and_die(void *unused) {
    pthread_mutex_lock(robust_mutex);
    return unused;
}

static void *try_it(void *argument) {
    pthread_mutex_t *mutex = argument;
    SHOW(pthread_mutex_trylock(mutex));
    struct timespec soon = in_ms(CLOCK_REALTIME, 5);
    SHOW(pthread_mutex_timedlock(mutex, &soon));
    soon = in_ms(CLOCK_MONOTONIC, 5);
    SHOW(pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &soon));
    struct timespec nonsense = {0, -1};
    SHOW(pthread_mutex_timedlock(mutex, &nonsense));
    SHOW(pthread_mutex_unlock(mutex) == EPERM);
    return NULL;
}

static void from_another_thread(pthread_mutex_t *mutex) {
    pthread_t thread;
    pthread_create(&thread, NULL, try_it, mutex);
    pthread_join(thread, NULL);
}

static void by_type(const char *name, int type, int protocol) {
    static pthread_mutex_t mutex;
    make(&mutex, type, protocol, PTHREAD_MUTEX_STALLED, PTHREAD_PROCESS_PRIVATE);
    printf("-- %s\n", name);
    struct timespec nonsense = {0, -1}, soon = in_ms(CLOCK_REALTIME, 5);
    SHOW(pthread_mutex_timedlock(&mutex, &nonsense));
    SHOW(pthread_mutex_unlock(&mutex));
    SHOW(pthread_mutex_clocklock(&mutex, CLOCK_PROCESS_CPUTIME_ID, &soon));
    SHOW(pthread_mutex_lock(&mutex));
    SHOW(pthread_mutex_trylock(&mutex));
    if (type == PTHREAD_MUTEX_RECURSIVE) {
        SHOW(pthread_mutex_unlock(&mutex));
    }
    if (type == PTHREAD_MUTEX_RECURSIVE || type == PTHREAD_MUTEX_ERRORCHECK) {
        SHOW(pthread_mutex_lock(&mutex));
        SHOW(pthread_mutex_timedlock(&mutex, &soon));
    }
    if (type == PTHREAD_MUTEX_RECURSIVE) {
        SHOW(pthread_mutex_unlock(&mutex));
        SHOW(pthread_mutex_unlock(&mutex));
    }
    // The kernel's own queue of a priority-inheriting mutex knows one clock and no nonsense: left out there.
    if (type == PTHREAD_MUTEX_ERRORCHECK && protocol == PTHREAD_PRIO_NONE) from_another_thread(&mutex);
    SHOW(pthread_mutex_unlock(&mutex));
    if (type == PTHREAD_MUTEX_ERRORCHECK) SHOW(pthread_mutex_unlock(&mutex));
    SHOW(pthread_mutex_destroy(&mutex));
}

static void owner_dies(int type, int make_consistent) {
    static pthread_mutex_t mutex;
    make(&mutex, type, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_ROBUST, PTHREAD_PROCESS_PRIVATE);
    robust_mutex = &mutex;
    printf("-- robust, owner died, %s\n", make_consistent ? "made consistent" : "left inconsistent");
    pthread_t thread;
    pthread_create(&thread, NULL, lock_and_die, NULL);
    pthread_join(thread, NULL);
    SHOW(pthread_mutex_lock(&mutex));
    if (make_consistent) SHOW(pthread_mutex_consistent(&mutex));
    SHOW(pthread_mutex_unlock(&mutex));
    SHOW(pthread_mutex_lock(&mutex));
    SHOW(pthread_mutex_trylock(&mutex));
    if (!make_consistent) return;
    if (type == PTHREAD_MUTEX_RECURSIVE) SHOW(pthread_mutex_unlock(&mutex));
    SHOW(pthread_mutex_unlock(&mutex));
    pthread_create(&thread, NULL, lock_and_die, NULL);
    pthread_join(thread, NULL);
    SHOW(pthread_mutex_trylock(&mutex));
}

static void between_processes(void) {
    pthread_mutex_t *mutex = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    make(mutex, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_ROBUST, PTHREAD_PROCESS_SHARED);
    puts("-- process-shared, the owner's process died");
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        pthread_mutex_lock(mutex);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    SHOW(pthread_mutex_lock(mutex));
    SHOW(pthread_mutex_consistent(mutex));
    SHOW(pthread_mutex_unlock(mutex));
}

int main(void) {
    by_type("normal", PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE);
    by_type("adaptive", PTHREAD_MUTEX_ADAPTIVE_NP, PTHREAD_PRIO_NONE);
    by_type("recursive", PTHREAD_MUTEX_RECURSIVE, PTHREAD_PRIO_NONE);
    by_type("error-check", PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_NONE);
    by_type("normal, priority-inheriting", PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT);
    by_type("recursive, priority-inheriting", PTHREAD_MUTEX_RECURSIVE, PTHREAD_PRIO_INHERIT);
    by_type("error-check, priority-inheriting", PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_INHERIT);
    owner_dies(PTHREAD_MUTEX_NORMAL, 1);
    owner_dies(PTHREAD_MUTEX_NORMAL, 0);
    owner_dies(PTHREAD_MUTEX_RECURSIVE, 1);
    between_processes();
    return 0;
}

// Calls every function on condition variables, with every type of mutex, where POSIX or the GNU C library says what it
// returns.
#include "show.h"
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex;
static pthread_cond_t condition;
static struct timespec nonsense = {0, -1}, past = {1, 0};
static int told;

static void *tell(void *broadcast) {
    pthread_mutex_lock(&mutex);
    told = 1;
    SHOW(broadcast ? pthread_cond_broadcast(&condition) : pthread_cond_signal(&condition));
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void with(const char *name, int type, int protocol, int robust, clockid_t clock) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    pthread_mutexattr_setprotocol(&attributes, protocol);
    pthread_mutexattr_setrobust(&attributes, robust);
    pthread_mutex_init(&mutex, &attributes);
    pthread_condattr_t condition_attributes;
    pthread_condattr_init(&condition_attributes);
    SHOW(pthread_condattr_setclock(&condition_attributes, clock));
    printf("-- %s\n", name);
    SHOW(pthread_cond_init(&condition, &condition_attributes));

    SHOW(pthread_cond_signal(&condition));
    SHOW(pthread_cond_broadcast(&condition));
    if (type == PTHREAD_MUTEX_ERRORCHECK) {
        struct timespec far = in_ms(clock, 60000);
        SHOW(pthread_cond_wait(&condition, &mutex));
        SHOW(pthread_cond_timedwait(&condition, &mutex, &far));
        SHOW(pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &far));
    }
    SHOW(pthread_mutex_lock(&mutex));
    struct timespec soon = in_ms(clock, 3), soon_monotonic = in_ms(CLOCK_MONOTONIC, 3);
    SHOW(pthread_cond_timedwait(&condition, &mutex, &soon));
    SHOW(pthread_cond_timedwait(&condition, &mutex, &past));
    SHOW(pthread_cond_timedwait(&condition, &mutex, &nonsense));
    SHOW(pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &soon_monotonic));
    SHOW(pthread_cond_clockwait(&condition, &mutex, CLOCK_REALTIME, &past));
    SHOW(pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &nonsense));
    SHOW(pthread_cond_clockwait(&condition, &mutex, CLOCK_PROCESS_CPUTIME_ID, &soon));
    SHOW(pthread_cond_clockwait(&condition, &mutex, 12345, &soon));
    for (int way = 0; way < 6; way++) {
        pthread_t teller;
        struct timespec far = in_ms(clock, 60000), far_monotonic = in_ms(CLOCK_MONOTONIC, 60000);
        told = 0;
        pthread_create(&teller, NULL, tell, way % 2 ? &told : NULL);
        int result = 0;
        while (!told && result == 0)
            result = way < 2   ? pthread_cond_wait(&condition, &mutex)
                     : way < 4 ? pthread_cond_timedwait(&condition, &mutex, &far)
                               : pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &far_monotonic);
        printf("way %d: %d\n", way, result);
        // Held again: nobody else has it, and whoever holds it can release it.
        pthread_mutex_unlock(&mutex);
        pthread_join(teller, NULL);
        SHOW(pthread_mutex_lock(&mutex));
    }
    SHOW(pthread_mutex_unlock(&mutex));
    SHOW(pthread_cond_destroy(&condition));
    SHOW(pthread_mutex_destroy(&mutex));
}

// A recursive mutex that is held twice is not released by the wait: held twice again after it.
static void held_twice(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &attributes);
    pthread_cond_init(&condition, NULL);
    puts("-- recursive, held twice");
    SHOW(pthread_mutex_lock(&mutex));
    SHOW(pthread_mutex_lock(&mutex));
    struct timespec soon = in_ms(CLOCK_REALTIME, 3);
    SHOW(pthread_cond_timedwait(&condition, &mutex, &soon));
    SHOW(pthread_mutex_unlock(&mutex));
    SHOW(pthread_mutex_unlock(&mutex));
    SHOW(pthread_mutex_unlock(&mutex));
}

static void *take_and_die(void *unused) {
    pthread_mutex_lock(&mutex);
    told = 1;
    pthread_cond_signal(&condition);
    return unused;
}

static void owner_dies_in_the_wait(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    pthread_cond_init(&condition, NULL);
    puts("-- the mutex's owner dies while another waits for the condition");
    pthread_t thread;
    told = 0;
    SHOW(pthread_mutex_lock(&mutex));
    pthread_create(&thread, NULL, take_and_die, NULL);
    int result = 0;
    while (!told && result == 0)
        result = pthread_cond_wait(&condition, &mutex);
    printf("wait: %s\n", result == EOWNERDEAD ? "owner died" : result == 0 ? "done" : "another error");
    SHOW(pthread_mutex_consistent(&mutex));
    SHOW(pthread_mutex_unlock(&mutex));
    pthread_join(thread, NULL);
    SHOW(pthread_mutex_lock(&mutex));
    SHOW(pthread_mutex_unlock(&mutex));
}

static void between_processes(void) {
    struct shared {
        pthread_mutex_t mutex;
        pthread_cond_t condition;
        int told;
    } *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_t mutex_attributes;
    pthread_condattr_t condition_attributes;
    pthread_mutexattr_init(&mutex_attributes);
    pthread_mutexattr_setpshared(&mutex_attributes, PTHREAD_PROCESS_SHARED);
    pthread_condattr_init(&condition_attributes);
    pthread_condattr_setpshared(&condition_attributes, PTHREAD_PROCESS_SHARED);
    puts("-- between processes");
    SHOW(pthread_mutex_init(&shared->mutex, &mutex_attributes));
    SHOW(pthread_cond_init(&shared->condition, &condition_attributes));
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        pthread_mutex_lock(&shared->mutex);
        shared->told = 1;
        pthread_cond_broadcast(&shared->condition);
        pthread_mutex_unlock(&shared->mutex);
        _exit(0);
    }
    pthread_mutex_lock(&shared->mutex);
    while (!shared->told)
        pthread_cond_wait(&shared->condition, &shared->mutex);
    SHOW(pthread_mutex_unlock(&shared->mutex));
    waitpid(child, NULL, 0);
    SHOW(pthread_cond_destroy(&shared->condition));
    SHOW(pthread_mutex_destroy(&shared->mutex));
}

int main(void) {
    with("normal", PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED, CLOCK_REALTIME);
    with("normal, monotonic", PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED, CLOCK_MONOTONIC);
    with("adaptive", PTHREAD_MUTEX_ADAPTIVE_NP, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED, CLOCK_REALTIME);
    with("recursive", PTHREAD_MUTEX_RECURSIVE, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED, CLOCK_REALTIME);
    with("error-check", PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED, CLOCK_REALTIME);
    with("priority-inheriting", PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT, PTHREAD_MUTEX_STALLED, CLOCK_REALTIME);
    with("robust", PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_ROBUST, CLOCK_REALTIME);
    held_twice();
    owner_dies_in_the_wait();
    between_processes();
    return 0;
}

// Cancels a thread in every function that waits: while it waits, and before it has called. What POSIX makes a
// cancellation point must end the thread there, running destructors and cleanup handlers; what it does not must return.
#include "show.h"
#include <atomic>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static mtx_t c11_mutex;
static cnd_t c11_condition;
static sem_t empty, full;
static pthread_t sleeper;
static int silent_pipe[2];

static timespec far(clockid_t clock) { return in_ms(clock, 60000); }

struct Noisy {
    const char *what;
    ~Noisy() { std::printf("  destructor of %s\n", what); }
};

static void unlock(void *) {
    std::printf("  cleanup, mutex is %s\n", pthread_mutex_trylock(&mutex) ? "held" : "free");
    pthread_mutex_unlock(&mutex);
}

static void unlock_c11(void *) {
    std::printf("  cleanup, mutex is %s\n", mtx_trylock(&c11_mutex) == thrd_busy ? "held" : "free");
    mtx_unlock(&c11_mutex);
}

static void semaphore_wait() { sem_wait(&empty); }
static void semaphore_timedwait() { auto t = far(CLOCK_REALTIME); sem_timedwait(&empty, &t); }
static void semaphore_clockwait() { auto t = far(CLOCK_MONOTONIC); sem_clockwait(&empty, CLOCK_MONOTONIC, &t); }
static void join() { pthread_join(sleeper, nullptr); }
static void sleep_long() { timespec t = {60, 0}; nanosleep(&t, nullptr); }
static void sleep_by_clock() { auto t = far(CLOCK_MONOTONIC); clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr); }
static void read_pipe() { char byte; if (read(silent_pipe[0], &byte, 1) == 1) std::puts("  read"); }
static void poll_pipe() { pollfd one = {silent_pipe[0], POLLIN, 0}; poll(&one, 1, 60000); }
static void select_pipe() {
    fd_set set;
    FD_ZERO(&set);
    FD_SET(silent_pipe[0], &set);
    timeval t = {60, 0};
    select(silent_pipe[0] + 1, &set, nullptr, nullptr, &t);
}
static void pause_for_ever() { pause(); }

// The same while a mutex is held, which makes a recorder look at system calls.
static void sleep_holding() {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, nullptr);
    sleep_long();
    pthread_cleanup_pop(1);
}
static void wait_holding_another() {
    mtx_lock(&c11_mutex);
    pthread_cleanup_push(unlock_c11, nullptr);
    sem_wait(&empty);
    pthread_cleanup_pop(1);
}

template <typename Wait> static void with_mutex(Wait wait) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, nullptr);
    Noisy noisy = {"a frame under the wait"};
    for (;;) wait();
    pthread_cleanup_pop(1);
}
static void condition_wait() {
    with_mutex([] { pthread_cond_wait(&condition, &mutex); });
}
static void condition_timedwait() {
    with_mutex([] { auto t = far(CLOCK_REALTIME); pthread_cond_timedwait(&condition, &mutex, &t); });
}
static void condition_clockwait() {
    with_mutex([] { auto t = far(CLOCK_MONOTONIC); pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &t); });
}
template <typename Wait> static void with_c11_mutex(Wait wait) {
    mtx_lock(&c11_mutex);
    pthread_cleanup_push(unlock_c11, nullptr);
    for (;;) wait();
    pthread_cleanup_pop(1);
}
static void c11_wait() {
    with_c11_mutex([] { cnd_wait(&c11_condition, &c11_mutex); });
}
static void c11_timedwait() {
    with_c11_mutex([] { auto t = far(CLOCK_REALTIME); cnd_timedwait(&c11_condition, &c11_mutex, &t); });
}

struct Case {
    const char *name;
    void (*call)();
    bool before;
    std::atomic<int> stage{0};
};

static void *run(void *argument) {
    auto *one = static_cast<Case *>(argument);
    Noisy noisy = {"the thread's first frame"};
    if (one->before) {
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
        one->stage = 1;
        while (one->stage != 2) usleep(100);
        pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, nullptr);
    } else {
        one->stage = 1;
    }
    one->call();
    std::puts("  returned");
    return nullptr;
}

static void cancel_in(const char *name, void (*call)(), bool before) {
    Case one = {name, call, before};
    std::printf("%s, %s\n", name, before ? "cancelled before" : "cancelled in the wait");
    pthread_t thread;
    pthread_create(&thread, nullptr, run, &one);
    while (one.stage != 1) usleep(100);
    if (!before) usleep(3000);
    pthread_cancel(thread);
    one.stage = 2;
    void *result;
    pthread_join(thread, &result);
    std::puts(result == PTHREAD_CANCELED ? "  cancelled" : "  ended by itself");
    int value = -1;
    sem_getvalue(&full, &value);
    std::printf("  mutex is %s, %d left\n", pthread_mutex_trylock(&mutex) ? "held" : "free", value);
    pthread_mutex_unlock(&mutex);
}

// No cancellation points, though they may wait: a request stays pending.
static void take_free_semaphore() { sem_wait(&full); std::puts("  took it"); }
static void try_free_semaphore() { std::printf("  trywait %d\n", sem_trywait(&full)); sem_post(&full); }
static void take_mutex() { pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex); std::puts("  took it"); }
static void take_mutex_with_deadline() {
    auto t = far(CLOCK_REALTIME);
    pthread_mutex_timedlock(&mutex, &t);
    pthread_mutex_unlock(&mutex);
    std::puts("  took it");
}
static void take_rwlock() {
    static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    std::puts("  took it");
}
static void tell() { pthread_cond_signal(&condition); pthread_cond_broadcast(&condition); std::puts("  told"); }
static void post() { sem_post(&empty); sem_trywait(&empty); std::puts("  posted"); }

static void *sleep_and_return(void *) { sleep_long(); return nullptr; }

int main() {
    sem_init(&empty, 0, 0);
    sem_init(&full, 0, 3);
    mtx_init(&c11_mutex, mtx_timed);
    cnd_init(&c11_condition);
    if (pipe(silent_pipe) != 0) return 1;
    pthread_create(&sleeper, nullptr, sleep_and_return, nullptr);
    const struct { const char *name; void (*call)(); } points[] = {
        {"sem_wait", semaphore_wait}, {"sem_timedwait", semaphore_timedwait}, {"sem_clockwait", semaphore_clockwait},
        {"sem_wait that need not wait", take_free_semaphore},
        {"pthread_cond_wait", condition_wait}, {"pthread_cond_timedwait", condition_timedwait},
        {"pthread_cond_clockwait", condition_clockwait}, {"cnd_wait", c11_wait}, {"cnd_timedwait", c11_timedwait},
        {"pthread_join", join}, {"nanosleep", sleep_long}, {"clock_nanosleep", sleep_by_clock}, {"read", read_pipe},
        {"poll", poll_pipe}, {"select", select_pipe}, {"pause", pause_for_ever},
        {"nanosleep with a mutex held", sleep_holding}, {"sem_wait with a mutex held", wait_holding_another},
    };
    for (auto &point : points) {
        cancel_in(point.name, point.call, true);
        if (point.call != take_free_semaphore) cancel_in(point.name, point.call, false);
    }
    const struct { const char *name; void (*call)(); } none[] = {
        {"sem_trywait", try_free_semaphore}, {"pthread_mutex_lock", take_mutex},
        {"pthread_mutex_timedlock", take_mutex_with_deadline}, {"rwlocks", take_rwlock},
        {"pthread_cond_signal", tell}, {"sem_post", post},
    };
    for (auto &call : none) cancel_in(call.name, call.call, true);
}

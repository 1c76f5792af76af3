/* A mutex of 16 bytes and a condition variable of 24: locktoll's Tollgate, for C and C++ on 64-bit Linux.
 *
 *     static locktoll_mutex gate = LOCKTOLL_MUTEX_INIT;
 *
 *     locktoll_mutex_lock(&gate);
 *     ...
 *     locktoll_mutex_unlock(&gate);
 *
 * `cargo xtask install-c PREFIX` builds and installs the library; `pkg-config --cflags --libs locktoll` (or `locktoll-static`) prints the flags
 * of the compiler. For C++, locktoll.hpp wraps these functions.
 *
 * One thread at a time holds the mutex, and it must not acquire it again. A thread that finds the mutex free takes it. Of the threads that
 * wait, the one that has waited longest is handed the mutex after at most about half a millisecond, plus the time for which holders hold it.
 * Without waiters, the mutex costs about as much as a spin lock; with many waiters, they do not spin.
 *
 * Memory. An object of zeros is free, or has no waiters, so static objects and those from calloc need no initialiser. Do not copy or move an
 * object while it is in use. The objects serve the threads of one process: they do not work in memory that processes share. All users of
 * an object must use the same copy of the library.
 *
 * Freeing. A mutex may be freed as soon as the program knows that no thread is going to use it. A thread that has just acquired and released
 * it may free it at once, even while the previous holder is still returning from its unlock, so a reference count can be kept under the
 * mutex itself. No function needs to be called. A condition may be freed after locktoll_condition_destroy.
 *
 * Errors. Functions return 0 or an error number, like those of POSIX, and do not change errno. No function allocates memory. Errors of the
 * caller (releasing a mutex that is not held, locking it twice) are not detected.
 *
 * Ordering. A thread that acquires a mutex sees everything that other threads did before they released it.
 *
 * Signals. Do not call these functions in a signal handler. A handler that runs while a thread waits does not end the wait.
 *
 * Cancellation. No function is a cancellation point, including the waits for a condition: a thread that is cancelled stays in them until it is
 * released. Do not call them with asynchronous cancellation enabled.
 *
 * Fork. The child of a fork has one thread. locktoll_mutex_after_fork_in_child makes a mutex usable that is free or held by that thread. Call it
 * before the child starts threads or uses the mutex. The right place is a handler of pthread_atfork that acquires the mutex before the fork
 * and releases it in the child after this call.
 *
 * Sandboxes. The first thread of a process that waits for a mutex registers the process for membarrier(2), and reads /proc/self/cgroup and
 * cpu.max below /sys/fs/cgroup. locktoll_prepare does so at once. Threads that wait also call sched_yield(2) and nanosleep(2). A seccomp
 * filter that answers with errors does no harm at any time. Before you install one that kills the process, call
 * locktoll_wait_by_futex_alone.
 */
#ifndef LOCKTOLL_H
#define LOCKTOLL_H

#include <stdbool.h>
#include <stdint.h>

#if !defined(__linux__) || !defined(__LP64__)
#error "locktoll.h is for 64-bit Linux"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* From time.h; strict modes of the C compiler may hide it there. */
struct timespec;

/* No pointer may be null, and nothing is thrown. */
#define LOCKTOLL_FUNCTION __attribute__((nonnull, nothrow))
#define LOCKTOLL_MUST_LOOK __attribute__((nonnull, nothrow, warn_unused_result))

/* Finds out whether the process may use membarrier(2) and has more than one CPU. Otherwise the first thread that waits for a mutex does this,
 * which may take milliseconds in a process with many threads. Calling it is optional. */
void locktoll_prepare(void) __attribute__((nothrow));

/* From now on mutexes and conditions make no system call but futex(2) and clock_gettime(2), as the C library's do. For a process that is about
 * to install a seccomp filter. It cannot be undone. Threads then wait a little longer than before, since futex(2) cannot yield. */
void locktoll_wait_by_futex_alone(void) __attribute__((nothrow));

/* A mutex. Its fields are private. */
typedef struct locktoll_mutex {
    uint64_t locktoll_word;
    uintptr_t locktoll_queue;
} locktoll_mutex;

/* A mutex that is free. */
#define LOCKTOLL_MUTEX_INIT { 0, 0 }

/* Waits until the mutex is acquired. */
void locktoll_mutex_lock(locktoll_mutex *mutex) LOCKTOLL_FUNCTION;

/* Acquires the mutex if it is free.
 * 0: acquired. EBUSY: a thread holds it, or it is being handed over. */
int locktoll_mutex_trylock(locktoll_mutex *mutex) LOCKTOLL_MUST_LOOK;

/* Waits until the mutex is acquired, or until the clock shows `at`. A free mutex is acquired even after that.
 * `clock` is CLOCK_MONOTONIC, or CLOCK_REALTIME, in which case setting the clock moves the deadline. (The same as glibc's
 * pthread_mutex_clocklock.)
 * 0: acquired. ETIMEDOUT: the deadline has passed. EINVAL: another clock, or `at` has nanoseconds below 0 or above 999999999; then the mutex
 * was not touched. */
int locktoll_mutex_clocklock(locktoll_mutex *mutex, int clock, const struct timespec *at) LOCKTOLL_MUST_LOOK;

/* Releases a mutex that is held by this thread, or by another thread that leaves the release to this one. */
void locktoll_mutex_unlock(locktoll_mutex *mutex) LOCKTOLL_FUNCTION;

/* Whether a thread held the mutex a moment ago, for assertions. It does not say which thread. */
bool locktoll_mutex_is_locked(const locktoll_mutex *mutex) LOCKTOLL_MUST_LOOK;

/* In the child of a fork: forgets all threads that waited in the parent. The mutex stays held if it was held. If a thread other than the one that
 * forked held it, it stays held for ever. */
void locktoll_mutex_after_fork_in_child(locktoll_mutex *mutex) LOCKTOLL_FUNCTION;

/* A condition variable. Its fields are private. */
typedef struct locktoll_condition {
    uint32_t locktoll_words[2];
    uintptr_t locktoll_ends[2];
} locktoll_condition;

/* A condition without waiters. */
#define LOCKTOLL_CONDITION_INIT { { 0, 0 }, { 0, 0 } }

/* Releases the mutex, which the caller must hold, waits for a signal, and acquires the mutex again. Threads that wait at the same time must use
 * the same mutex. It returns only for a signal to this thread. Before this thread has the mutex again, other threads may have changed the
 * state that was signalled, so check it in a loop. */
void locktoll_condition_wait(locktoll_condition *condition, locktoll_mutex *mutex) LOCKTOLL_FUNCTION;

/* The same, but at most until the clock shows `at` (see locktoll_mutex_clocklock). (Like glibc's pthread_cond_clockwait.)
 * 0: signalled. ETIMEDOUT: the deadline has passed, no signal was used up, and the mutex has been acquired again, however long that took.
 * EINVAL: as for locktoll_mutex_clocklock; the mutex was held all the time. */
int locktoll_condition_clockwait(locktoll_condition *condition, locktoll_mutex *mutex, int clock, const struct timespec *at)
    LOCKTOLL_FUNCTION;

/* Wakes the thread that has waited longest, if any thread waits. A thread that begins to wait later cannot take the signal away from it. The caller
 * may hold the mutex, but does not have to. */
void locktoll_condition_signal(locktoll_condition *condition) LOCKTOLL_FUNCTION;

/* Wakes all threads that wait. */
void locktoll_condition_broadcast(locktoll_condition *condition) LOCKTOLL_FUNCTION;

/* Waits until the library no longer uses the condition. Afterwards its memory may be freed, or used as a new condition. Call it when no thread is
 * going to use the condition any more, and all waiters have been signalled or are past their deadlines: it waits for those that still wait. The
 * thread that signalled or broadcast may call it right afterwards. */
void locktoll_condition_destroy(locktoll_condition *condition) LOCKTOLL_FUNCTION;

/* In the child of a fork: makes the condition one without waiters. */
void locktoll_condition_after_fork_in_child(locktoll_condition *condition) LOCKTOLL_FUNCTION;

#ifdef __cplusplus
}
static_assert(sizeof(locktoll_mutex) == 16 && alignof(locktoll_mutex) == 8, "a mutex is 16 bytes");
static_assert(sizeof(locktoll_condition) == 24 && alignof(locktoll_condition) == 8, "a condition is 24 bytes");
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
_Static_assert(sizeof(locktoll_mutex) == 16 && _Alignof(locktoll_mutex) == 8, "a mutex is 16 bytes");
_Static_assert(sizeof(locktoll_condition) == 24 && _Alignof(locktoll_condition) == 8, "a condition is 24 bytes");
#endif

#if defined(__SANITIZE_THREAD__)
#include "locktoll_tsan.h"
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#include "locktoll_tsan.h"
#endif
#endif

#endif

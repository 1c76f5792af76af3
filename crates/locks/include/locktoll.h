/* A mutex of 16 bytes and a condition variable of 24: locktoll's Tollgate, for C and C++ on 64-bit Linux.
 *
 *     static locktoll_mutex gate = LOCKTOLL_MUTEX_INIT;
 *
 *     locktoll_mutex_lock(&gate);
 *     ...
 *     locktoll_mutex_unlock(&gate);
 *
 * Built and installed by `cargo xtask install-c PREFIX`; compiled against by `pkg-config --cflags --libs locktoll` (or
 * `locktoll-static`). For C++, locktoll.hpp wraps these functions.
 *
 * The mutex is held by one thread at a time, which does not acquire it again. Whoever finds it free takes it, and of those
 * that wait the one that has waited longest gets it handed over after at most half a millisecond or so plus the time
 * that holders hold it. It costs about as much as a spin lock while nobody waits, and does not spin while many do.
 *
 * Memory. An object that is all zeros is one that is free, or that nobody waits for: static ones and those from calloc need no
 * initialiser. Objects are not copied and not moved while they are used. They serve the threads of one process: in
 * memory that processes share they do not work. All users of an object use the same copy of the library.
 *
 * When may an object be freed? A mutex, as soon as the program knows that nobody is going to use it: also by a thread that has
 * just acquired and released it, at once, while the one that held it before is still about to return from its unlock (so a
 * reference count can be kept under the lock itself). It needs no function for that. A condition, after
 * locktoll_condition_destroy.
 *
 * Errors. Functions return 0 or an error's number, as those of POSIX do, and leave errno alone. Nothing here allocates
 * memory or fails for want of it. What a caller must not do (release what is not held, lock twice) is not detected.
 *
 * Ordering. What a thread did before it released a mutex is seen by whoever acquires it afterwards.
 *
 * Signals. No function here may be called in a signal handler. A handler that runs while a thread waits does not end the wait.
 *
 * Cancellation. No function here is a cancellation point, the waits for a condition included: a thread that is cancelled stays
 * in them until it is let go. With asynchronous cancellation they must not be called.
 *
 * Fork. In the child of a fork there is one thread. A mutex that is held by it, or free, is made usable by
 * locktoll_mutex_after_fork_in_child, called before the child makes threads or uses the mutex; the right place is a handler
 * of pthread_atfork that acquires the mutex before the fork and releases it in the child after this call.
 *
 * Sandboxes. The first thread of a process that waits for a mutex registers the process for membarrier(2), and reads
 * /proc/self/cgroup and cpu.max below /sys/fs/cgroup; locktoll_prepare does so at once. A seccomp filter that answers with errors is
 * fine at any time; one that kills for membarrier is not.
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

/* Does at once what the first thread that waits for a mutex would do otherwise: finds out whether the process may use membarrier(2) and
 * has more than one processor. With many threads that may take milliseconds. Nobody has to call it. */
void locktoll_prepare(void) __attribute__((nothrow));

/* A mutex. Its fields are the library's. */
typedef struct locktoll_mutex {
    uint64_t locktoll_word;
    uintptr_t locktoll_queue;
} locktoll_mutex;

/* A mutex that is free. */
#define LOCKTOLL_MUTEX_INIT { 0, 0 }

/* Waits until the mutex is acquired. */
void locktoll_mutex_lock(locktoll_mutex *mutex) LOCKTOLL_FUNCTION;

/* Acquires the mutex if it is free.
 * 0: acquired. EBUSY: somebody holds it, or it is being handed over. */
int locktoll_mutex_trylock(locktoll_mutex *mutex) LOCKTOLL_MUST_LOOK;

/* Waits until the mutex is acquired, or until the clock shows `at`. A free mutex is acquired even after that.
 * `clock` is CLOCK_REALTIME, whose setting moves the moment, or CLOCK_MONOTONIC. (The same as glibc's pthread_mutex_clocklock.)
 * 0: acquired. ETIMEDOUT: the time has come. EINVAL: another clock, or `at` has nanoseconds below 0 or above 999999999; then
 * nothing was done. */
int locktoll_mutex_clocklock(locktoll_mutex *mutex, int clock, const struct timespec *at) LOCKTOLL_MUST_LOOK;

/* Releases a mutex that is held: by this thread, or by one that leaves the release to this one. */
void locktoll_mutex_unlock(locktoll_mutex *mutex) LOCKTOLL_FUNCTION;

/* Whether somebody held the mutex a moment ago: for assertions. It does not say who. */
bool locktoll_mutex_is_locked(const locktoll_mutex *mutex) LOCKTOLL_MUST_LOOK;

/* In the child of a fork: forgets all that waited in the parent. The mutex stays held if it was. What another thread than the one that
 * forked held stays held for ever. */
void locktoll_mutex_after_fork_in_child(locktoll_mutex *mutex) LOCKTOLL_FUNCTION;

/* A condition variable. Its fields are the library's. */
typedef struct locktoll_condition {
    uint32_t locktoll_words[2];
    uintptr_t locktoll_ends[2];
} locktoll_condition;

/* A condition that nobody waits for. */
#define LOCKTOLL_CONDITION_INIT { { 0, 0 }, { 0, 0 } }

/* Releases the mutex, which the caller holds, waits for a signal, and acquires the mutex again. Threads that wait at the same time
 * name the same mutex. It returns only for a signal that was meant for this thread; but until it has acquired the mutex again,
 * others may have changed what was signalled, so ask again in a loop. */
void locktoll_condition_wait(locktoll_condition *condition, locktoll_mutex *mutex) LOCKTOLL_FUNCTION;

/* The same, but not longer than until the clock shows `at` (see locktoll_mutex_clocklock). (As glibc's pthread_cond_clockwait.)
 * 0: signalled. ETIMEDOUT: the time has come, no signal was used up, and the mutex has been acquired again, however long that took.
 * EINVAL: as for locktoll_mutex_clocklock; the mutex was held all the time. */
int locktoll_condition_clockwait(locktoll_condition *condition, locktoll_mutex *mutex, int clock, const struct timespec *at)
    LOCKTOLL_FUNCTION;

/* Lets the thread go that has waited longest, if any waits. A thread that begins to wait later cannot take the signal away
 * from it. The mutex may be held meanwhile or not. */
void locktoll_condition_signal(locktoll_condition *condition) LOCKTOLL_FUNCTION;

/* Lets all threads go that wait. */
void locktoll_condition_broadcast(locktoll_condition *condition) LOCKTOLL_FUNCTION;

/* Waits until the library uses the condition no more; afterwards its memory may be freed, or used as a new condition. To be called when
 * nobody is going to use the condition any more, and all that waited have been signalled or are past their time: for whoever still
 * waits it waits, too. It may be called right after the signal or the broadcast, by the same thread. */
void locktoll_condition_destroy(locktoll_condition *condition) LOCKTOLL_FUNCTION;

/* In the child of a fork: makes the condition one that nobody waits for. */
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

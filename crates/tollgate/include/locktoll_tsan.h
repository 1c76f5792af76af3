/* Included by locktoll.h under -fsanitize=thread: reports acquisitions and releases to the thread sanitizer, which cannot see into the library.
 * Without that, it would report a race wherever a mutex prevents one.
 *
 * It applies the stricter rule that the thread that locked a mutex must unlock it.
 */
#ifndef LOCKTOLL_TSAN_H
#define LOCKTOLL_TSAN_H

#include <sanitizer/tsan_interface.h>

#ifdef __cplusplus
extern "C" {
#endif

static inline void locktoll_tsan_lock(locktoll_mutex *mutex)
{
    __tsan_mutex_pre_lock(mutex, 0);
    locktoll_mutex_lock(mutex);
    __tsan_mutex_post_lock(mutex, 0, 0);
}

/* After a trial that ended so. */
static inline int locktoll_tsan_tried(locktoll_mutex *mutex, int result)
{
    __tsan_mutex_post_lock(mutex, __tsan_mutex_try_lock | (result == 0 ? 0 : __tsan_mutex_try_lock_failed), 0);
    return result;
}

static inline int locktoll_tsan_trylock(locktoll_mutex *mutex)
{
    __tsan_mutex_pre_lock(mutex, __tsan_mutex_try_lock);
    return locktoll_tsan_tried(mutex, locktoll_mutex_trylock(mutex));
}

static inline int locktoll_tsan_clocklock(locktoll_mutex *mutex, int clock, const struct timespec *at)
{
    __tsan_mutex_pre_lock(mutex, __tsan_mutex_try_lock);
    return locktoll_tsan_tried(mutex, locktoll_mutex_clocklock(mutex, clock, at));
}

static inline void locktoll_tsan_unlock(locktoll_mutex *mutex)
{
    __tsan_mutex_pre_unlock(mutex, 0);
    locktoll_mutex_unlock(mutex);
    __tsan_mutex_post_unlock(mutex, 0);
}

/* A wait is a release, something that the sanitizer need not know, and an acquisition. */
static inline void locktoll_tsan_before_wait(locktoll_mutex *mutex)
{
    __tsan_mutex_pre_unlock(mutex, 0);
    __tsan_mutex_post_unlock(mutex, 0);
}

static inline void locktoll_tsan_after_wait(locktoll_mutex *mutex)
{
    __tsan_mutex_pre_lock(mutex, 0);
    __tsan_mutex_post_lock(mutex, 0, 0);
}

static inline void locktoll_tsan_wait(locktoll_condition *condition, locktoll_mutex *mutex)
{
    locktoll_tsan_before_wait(mutex);
    locktoll_condition_wait(condition, mutex);
    locktoll_tsan_after_wait(mutex);
}

static inline int locktoll_tsan_clockwait(locktoll_condition *condition, locktoll_mutex *mutex, int clock, const struct timespec *at)
{
    int result;
    locktoll_tsan_before_wait(mutex);
    result = locktoll_condition_clockwait(condition, mutex, clock, at);
    locktoll_tsan_after_wait(mutex);
    return result;
}

#ifdef __cplusplus
}
#endif

/* From here on, calls go by the functions above. */
#define locktoll_mutex_lock(mutex) locktoll_tsan_lock(mutex)
#define locktoll_mutex_trylock(mutex) locktoll_tsan_trylock(mutex)
#define locktoll_mutex_clocklock(mutex, clock, at) locktoll_tsan_clocklock(mutex, clock, at)
#define locktoll_mutex_unlock(mutex) locktoll_tsan_unlock(mutex)
#define locktoll_condition_wait(condition, mutex) locktoll_tsan_wait(condition, mutex)
#define locktoll_condition_clockwait(condition, mutex, clock, at) locktoll_tsan_clockwait(condition, mutex, clock, at)

#endif

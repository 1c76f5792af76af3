// locktoll.h for C++11 and later: a mutex for std::lock_guard, std::unique_lock, std::scoped_lock and std::lock, and a condition
// variable for it. Header only. The rules of locktoll.h about memory, signals, cancellation and forks apply here, too.
//
//     static locktoll::mutex gate;                  // constant initialisation: usable before main
//     std::lock_guard<locktoll::mutex> guard(gate);
#ifndef LOCKTOLL_HPP
#define LOCKTOLL_HPP

#include <chrono>
#include <condition_variable>
#include <ctime>
#include <mutex>

#include "locktoll.h"

namespace locktoll {

namespace detail {

// About 290 years: a moment further away never comes.
constexpr long double longest_seconds = 9.2e9L;

// The moment this long after the zero of a clock.
template <class Rep, class Period>
timespec since_zero(const std::chrono::duration<Rep, Period> &length)
{
    using std::chrono::nanoseconds;
    using std::chrono::seconds;
    const long double about = std::chrono::duration<long double>(length).count();
    timespec at = {};
    if (!(about > 0)) // also NaN
        return at;
    if (about >= longest_seconds) {
        at.tv_sec = static_cast<std::time_t>(longest_seconds);
        return at;
    }
    nanoseconds whole = std::chrono::duration_cast<nanoseconds>(length);
    // Never earlier than requested.
    if (std::chrono::duration<long double, std::nano>(length).count() > static_cast<long double>(whole.count()))
        whole += nanoseconds(1);
    const seconds full = std::chrono::duration_cast<seconds>(whole);
    at.tv_sec = static_cast<std::time_t>(full.count());
    at.tv_nsec = static_cast<long>((whole - full).count());
    return at;
}

// The moment this long from now, by CLOCK_MONOTONIC.
template <class Rep, class Period>
timespec from_now(const std::chrono::duration<Rep, Period> &length)
{
    const timespec ahead = since_zero(length);
    timespec at = {};
    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_sec += ahead.tv_sec;
    at.tv_nsec += ahead.tv_nsec;
    if (at.tv_nsec >= 1000000000L) {
        at.tv_nsec -= 1000000000L;
        at.tv_sec += 1;
    }
    return at;
}

// Whether the wait times out at the moment; `wait(clock, at)` returns whether it timed out.
template <class Duration, class Wait>
bool times_out(const std::chrono::time_point<std::chrono::system_clock, Duration> &at, Wait wait)
{
    return wait(CLOCK_REALTIME, since_zero(at.time_since_epoch()));
}

// Any other clock: the time until its moment, measured now; that clock may run slower than CLOCK_MONOTONIC.
template <class Clock, class Duration, class Wait>
bool times_out(const std::chrono::time_point<Clock, Duration> &at, Wait wait)
{
    for (;;) {
        if (!wait(CLOCK_MONOTONIC, from_now(at - Clock::now())))
            return false;
        if (Clock::now() >= at)
            return true;
    }
}

} // namespace detail

// std::timed_mutex, by locktoll_mutex.
class mutex {
public:
    using native_handle_type = locktoll_mutex *;

    constexpr mutex() noexcept = default;
    mutex(const mutex &) = delete;
    mutex &operator=(const mutex &) = delete;

    void lock() noexcept
    {
        locktoll_mutex_lock(&native_);
    }

    bool try_lock() noexcept
    {
        return locktoll_mutex_trylock(&native_) == 0;
    }

    void unlock() noexcept
    {
        locktoll_mutex_unlock(&native_);
    }

    template <class Rep, class Period>
    bool try_lock_for(const std::chrono::duration<Rep, Period> &length)
    {
        const timespec at = detail::from_now(length);
        return locktoll_mutex_clocklock(&native_, CLOCK_MONOTONIC, &at) == 0;
    }

    template <class Clock, class Duration>
    bool try_lock_until(const std::chrono::time_point<Clock, Duration> &at)
    {
        return !detail::times_out(at, [this](int clock, const timespec &until) {
            return locktoll_mutex_clocklock(&native_, clock, &until) != 0;
        });
    }

    // Whether a thread held it a moment ago, for assertions.
    bool is_locked() const noexcept
    {
        return locktoll_mutex_is_locked(&native_);
    }

    // See locktoll_mutex_after_fork_in_child.
    void after_fork_in_child() noexcept
    {
        locktoll_mutex_after_fork_in_child(&native_);
    }

    native_handle_type native_handle() noexcept
    {
        return &native_;
    }

private:
    locktoll_mutex native_ = LOCKTOLL_MUTEX_INIT;
};

// std::condition_variable, by locktoll_condition, for std::unique_lock<locktoll::mutex>. (std::condition_variable_any accepts the mutex,
// too, but has an additional lock of its own.)
class condition_variable {
public:
    using native_handle_type = locktoll_condition *;

    constexpr condition_variable() noexcept = default;
    condition_variable(const condition_variable &) = delete;
    condition_variable &operator=(const condition_variable &) = delete;

    // All waiters must have been notified or be past their deadlines, as for std::condition_variable; it waits for any others.
    ~condition_variable()
    {
        locktoll_condition_destroy(&native_);
    }

    void notify_one() noexcept
    {
        locktoll_condition_signal(&native_);
    }

    void notify_all() noexcept
    {
        locktoll_condition_broadcast(&native_);
    }

    void wait(std::unique_lock<mutex> &lock) noexcept
    {
        locktoll_condition_wait(&native_, lock.mutex()->native_handle());
    }

    template <class Predicate>
    void wait(std::unique_lock<mutex> &lock, Predicate holds)
    {
        while (!holds())
            wait(lock);
    }

    template <class Rep, class Period>
    std::cv_status wait_for(std::unique_lock<mutex> &lock, const std::chrono::duration<Rep, Period> &length)
    {
        return status(clockwait(lock, CLOCK_MONOTONIC, detail::from_now(length)));
    }

    template <class Rep, class Period, class Predicate>
    bool wait_for(std::unique_lock<mutex> &lock, const std::chrono::duration<Rep, Period> &length, Predicate holds)
    {
        const timespec at = detail::from_now(length);
        while (!holds())
            if (clockwait(lock, CLOCK_MONOTONIC, at))
                return holds();
        return true;
    }

    template <class Clock, class Duration>
    std::cv_status wait_until(std::unique_lock<mutex> &lock, const std::chrono::time_point<Clock, Duration> &at)
    {
        return status(detail::times_out(at, [&](int clock, const timespec &until) {
            return clockwait(lock, clock, until);
        }));
    }

    template <class Clock, class Duration, class Predicate>
    bool wait_until(std::unique_lock<mutex> &lock, const std::chrono::time_point<Clock, Duration> &at, Predicate holds)
    {
        while (!holds())
            if (wait_until(lock, at) == std::cv_status::timeout)
                return holds();
        return true;
    }

    // See locktoll_condition_after_fork_in_child.
    void after_fork_in_child() noexcept
    {
        locktoll_condition_after_fork_in_child(&native_);
    }

    native_handle_type native_handle() noexcept
    {
        return &native_;
    }

private:
    // Whether the deadline came first.
    bool clockwait(std::unique_lock<mutex> &lock, int clock, const timespec &at) noexcept
    {
        return locktoll_condition_clockwait(&native_, lock.mutex()->native_handle(), clock, &at) != 0;
    }

    static std::cv_status status(bool in_vain) noexcept
    {
        return in_vain ? std::cv_status::timeout : std::cv_status::no_timeout;
    }

    locktoll_condition native_ = LOCKTOLL_CONDITION_INIT;
};

} // namespace locktoll

#endif

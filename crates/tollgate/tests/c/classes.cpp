// locktoll::mutex and locktoll::condition_variable as a C++ program uses them. Says "done" at the end.
#include <locktoll.hpp>

#include <deque>
#include <thread>
#include <type_traits>
#include <vector>

#include "check.h"

using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;
using std::chrono::system_clock;

static_assert(sizeof(locktoll::mutex) == 16, "no more than C's");
static_assert(sizeof(locktoll::condition_variable) == 24, "no more than C's");
static_assert(!std::is_copy_constructible<locktoll::mutex>::value, "it stays where it is");
static_assert(!std::is_move_constructible<locktoll::mutex>::value, "it stays where it is");
static_assert(!std::is_copy_assignable<locktoll::condition_variable>::value, "it stays where it is");
static_assert(std::is_nothrow_default_constructible<locktoll::mutex>::value, "nothing can fail");
static_assert(std::is_trivially_destructible<locktoll::mutex>::value, "nothing to destroy");

#if __cplusplus >= 202002L
static constinit locktoll::mutex first;
static constinit locktoll::mutex second;
#else
static locktoll::mutex first;
static locktoll::mutex second;
#endif

template <class Work>
static void in_threads(int count, Work work)
{
    std::vector<std::thread> threads;
    for (int i = 0; i < count; i++)
        threads.emplace_back(work, i);
    for (std::thread &thread : threads)
        thread.join();
}

// A clock that goes at half the speed.
struct slow_clock {
    using duration = milliseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<slow_clock>;
    static constexpr bool is_steady = true;

    static time_point now()
    {
        return time_point(std::chrono::duration_cast<duration>(steady_clock::now().time_since_epoch() / 2));
    }
};

static void guards_count()
{
    long count = 0;
    in_threads(8, [&](int) {
        for (int i = 0; i < 5000; i++) {
            std::lock_guard<locktoll::mutex> guard(first);
            count++;
        }
    });
    CHECK(count == 8 * 5000);
}

// Two at a time, in either order.
static void two_at_once()
{
    long count = 0;
    in_threads(4, [&](int thread) {
        for (int i = 0; i < 3000; i++) {
            locktoll::mutex &one = thread % 2 ? first : second;
            locktoll::mutex &other = thread % 2 ? second : first;
#if __cplusplus >= 201703L
            std::scoped_lock both(one, other);
            count++;
#else
            std::lock(one, other);
            count++;
            one.unlock();
            other.unlock();
#endif
        }
    });
    CHECK(count == 4 * 3000);
}

static void tries_and_times()
{
    locktoll::mutex mutex;
    std::unique_lock<locktoll::mutex> held(mutex);
    CHECK(mutex.is_locked());
    in_threads(1, [&](int) {
        CHECK(!mutex.try_lock());
        const auto begin = steady_clock::now();
        CHECK(!mutex.try_lock_for(milliseconds(4)));
        CHECK(steady_clock::now() - begin >= milliseconds(4));
        CHECK(!mutex.try_lock_for(std::chrono::duration<double>(0.002)));
        CHECK(!mutex.try_lock_for(nanoseconds(-5)));
        const auto steady = steady_clock::now() + milliseconds(4);
        CHECK(!mutex.try_lock_until(steady));
        CHECK(steady_clock::now() >= steady);
        const auto system = system_clock::now() + microseconds(4000);
        CHECK(!mutex.try_lock_until(system));
        CHECK(system_clock::now() >= system);
        CHECK(!mutex.try_lock_until(system_clock::time_point(hours(-1))));
        const auto slow = slow_clock::now() + milliseconds(4);
        CHECK(!mutex.try_lock_until(slow));
        CHECK(slow_clock::now() >= slow);
    });
    held.unlock();
    // Nobody lives to see the end of these.
    CHECK(held.try_lock_for(hours::max()));
    held.unlock();
    CHECK(held.try_lock_until(system_clock::time_point::max()));
    held.unlock();
    CHECK(held.try_lock_until(steady_clock::time_point::max()));
    std::thread waits([&] {
        std::unique_lock<locktoll::mutex> lock(mutex, hours::max());
        CHECK(lock.owns_lock());
    });
    std::this_thread::sleep_for(milliseconds(5));
    held.unlock();
    waits.join();
    CHECK(!mutex.is_locked());
}

// What two threads hand each other, with any kind of condition variable.
template <class Condition>
static void channel()
{
    enum { ITEMS = 3000 };
    locktoll::mutex mutex;
    Condition has_items, has_room;
    std::deque<int> items;
    long sum = 0;
    in_threads(4, [&](int thread) {
        for (int i = 1; i <= ITEMS; i++) {
            std::unique_lock<locktoll::mutex> lock(mutex);
            if (thread % 2) {
                has_room.wait(lock, [&] { return items.size() < 4; });
                items.push_back(i);
                lock.unlock();
                has_items.notify_one();
            } else {
                if (i % 2)
                    has_items.wait(lock, [&] { return !items.empty(); });
                else
                    CHECK(has_items.wait_for(lock, hours(1), [&] { return !items.empty(); }));
                sum += items.front();
                items.pop_front();
                lock.unlock();
                has_room.notify_one();
            }
        }
    });
    CHECK(sum == 2L * ITEMS * (ITEMS + 1) / 2);
    CHECK(items.empty());
}

// Waits that end by their time, and waits that would, but are notified.
static void times()
{
    locktoll::mutex mutex;
    locktoll::condition_variable condition;
    std::unique_lock<locktoll::mutex> lock(mutex);
    const auto begin = steady_clock::now();
    CHECK(condition.wait_for(lock, milliseconds(4)) == std::cv_status::timeout);
    CHECK(condition.wait_until(lock, steady_clock::now() + milliseconds(1)) == std::cv_status::timeout);
    CHECK(condition.wait_until(lock, system_clock::now() + milliseconds(1)) == std::cv_status::timeout);
    CHECK(!condition.wait_until(lock, slow_clock::now() + milliseconds(2), [] { return false; }));
    CHECK(steady_clock::now() - begin >= milliseconds(8));
    CHECK(condition.wait_for(lock, nanoseconds(-1), [] { return true; }));
    CHECK(lock.owns_lock() && mutex.is_locked());

    bool open = false;
    int through = 0;
    lock.unlock();
    std::thread opens([&] {
        std::this_thread::sleep_for(milliseconds(5));
        std::lock_guard<locktoll::mutex> guard(mutex);
        open = true;
        condition.notify_all();
    });
    in_threads(8, [&](int thread) {
        std::unique_lock<locktoll::mutex> own(mutex);
        const auto is_open = [&] { return open; };
        if (thread % 3 == 0)
            condition.wait(own, is_open);
        else if (thread % 3 == 1)
            CHECK(condition.wait_for(own, hours::max(), is_open));
        else
            CHECK(condition.wait_until(own, system_clock::now() + hours(1), is_open));
        through++;
    });
    opens.join();
    CHECK(through == 8);
}

// An object that is destroyed by the last of its users, as soon as that one has released it.
struct counted {
    locktoll::mutex mutex;
    int users = 4;
};

static void is_destroyed_by_its_last_user()
{
    for (int round = 0; round < 200; round++) {
        counted *object = new counted;
        in_threads(4, [=](int) {
            object->mutex.lock();
            const bool last = --object->users == 0;
            object->mutex.unlock();
            if (last)
                delete object;
        });
    }
}

int main()
{
    guards_count();
    two_at_once();
    tries_and_times();
    channel<locktoll::condition_variable>();
    channel<std::condition_variable_any>();
    times();
    is_destroyed_by_its_last_user();
    std::puts("done");
    return 0;
}

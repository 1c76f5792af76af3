// condition_standard THREADS: C++'s own condition variables: with any lock, until a moment by each clock, until a stop is
// requested, at the exit of a thread, and latches and semaphores made of them. Succeeds if all of it adds up.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <stop_token>
#include <thread>
#include <vector>

#define CHECK(what)                                                                                                              \
    do {                                                                                                                         \
        if (!(what)) {                                                                                                           \
            std::fprintf(stderr, "line %d: %s\n", __LINE__, #what);                                                              \
            std::exit(1);                                                                                                        \
        }                                                                                                                        \
    } while (0)

using namespace std::chrono_literals;

template <class Mutex, class Condition> struct Channel {
    Mutex mutex;
    Condition changed;
    std::deque<long> items;

    void put(long item) {
        {
            std::unique_lock lock(mutex);
            items.push_back(item);
        }
        changed.notify_one();
    }
    long take() {
        std::unique_lock lock(mutex);
        while (!changed.wait_for(lock, 50ms, [this] { return !items.empty(); })) {}
        long item = items.front();
        items.pop_front();
        return item;
    }
};

template <class Mutex, class Condition> static void add_up(int threads) {
    Channel<Mutex, Condition> channel;
    std::vector<std::future<long>> sums;
    for (int i = 0; i < threads / 2; i++) {
        sums.push_back(std::async(std::launch::async, [&] {
            long sum = 0;
            for (int item = 0; item < 200; item++) sum += channel.take();
            return sum;
        }));
        sums.push_back(std::async(std::launch::async, [&, i] {
            long sum = 0;
            for (int item = 0; item < 200; item++) channel.put(i * 200 + item), sum -= i * 200 + item;
            return sum;
        }));
    }
    long left = 0;
    for (auto &sum : sums) left += sum.get();
    CHECK(left == 0 && channel.items.empty());
}

static void stopped(int threads) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::stop_source source;
    int waiting = 0, stopped = 0;
    std::vector<std::jthread> waiters;
    for (int i = 0; i < threads; i++)
        waiters.emplace_back([&] {
            std::unique_lock lock(mutex);
            waiting++;
            CHECK(!never.wait(lock, source.get_token(), [] { return false; }));
            stopped++;
        });
    for (bool all = false; !all; std::this_thread::yield()) {
        std::lock_guard lock(mutex);
        all = waiting == threads;
    }
    source.request_stop();
    waiters.clear();
    CHECK(stopped == threads);
}

static void until() {
    std::timed_mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    auto steady = std::chrono::steady_clock::now() + 3ms;
    while (never.wait_until(lock, steady) != std::cv_status::timeout) {}
    CHECK(std::chrono::steady_clock::now() >= steady);
    auto system = std::chrono::system_clock::now() + 3ms;
    while (never.wait_until(lock, system) != std::cv_status::timeout) {}
    CHECK(std::chrono::system_clock::now() >= system);
    CHECK(never.wait_until(lock, std::chrono::steady_clock::time_point{}) == std::cv_status::timeout);
}

// The condition is destroyed as soon as it has told everybody.
static void short_lived(int threads) {
    for (int round = 0; round < 50; round++) {
        auto changed = std::make_unique<std::condition_variable>();
        std::mutex mutex;
        int waiting = 0;
        bool told = false;
        std::vector<std::thread> waiters;
        for (int i = 0; i < threads; i++)
            waiters.emplace_back([&] {
                std::unique_lock lock(mutex);
                waiting++;
                changed->wait(lock, [&] { return told; });
            });
        for (bool all = false; !all; std::this_thread::yield()) {
            std::unique_lock lock(mutex);
            all = waiting == threads;
            if (all) {
                told = true;
                changed->notify_all();
                changed.reset();
            }
        }
        for (auto &waiter : waiters) waiter.join();
    }
}

static void at_exit_of_a_thread() {
    std::mutex mutex;
    std::condition_variable ended;
    bool done = false;
    std::thread thread([&] {
        std::unique_lock lock(mutex);
        done = true;
        std::notify_all_at_thread_exit(ended, std::move(lock));
    });
    std::unique_lock lock(mutex);
    ended.wait(lock, [&] { return done; });
    thread.join();
}

int main(int count, char **arguments) {
    int threads = count > 1 ? std::atoi(arguments[1]) : 8;
    add_up<std::mutex, std::condition_variable>(threads);
    add_up<std::recursive_mutex, std::condition_variable_any>(threads);
    add_up<std::shared_mutex, std::condition_variable_any>(threads);
    stopped(threads);
    until();
    short_lived(threads);
    at_exit_of_a_thread();
}

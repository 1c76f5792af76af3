// The synchronisation of C++20, with known counts. What of it reaches the C library: std::mutex and its kin are
// pthread mutexes and reader-writer locks; condition_variable_any brings a mutex of its own; semaphores, latches,
// barriers and atomic waits call futex by syscall() or spin.
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

static std::mutex plain;
static std::recursive_mutex recursive;
static std::timed_mutex timed;
static std::recursive_timed_mutex recursive_timed;
static std::shared_mutex shared;
static std::shared_timed_mutex shared_timed;
static std::mutex any_mutex;
static std::condition_variable_any any;
static std::counting_semaphore<10> counting(2);
static std::binary_semaphore told(0);
static std::latch all_there(4);
static std::barrier rounds(4);
static std::atomic<int> flag;
static std::once_flag once;
static long sum, written;
static bool ready;

[[gnu::noinline]] static void take_plain() {
    std::lock_guard guard(plain);
    sum++;
}

static void work(int own) {
    all_there.arrive_and_wait();
    for (int i = 0; i < 100; i++) {
        take_plain();
        {
            std::scoped_lock both(recursive, plain);
            std::lock_guard again(recursive);
            sum++;
        }
        if (timed.try_lock_for(60s)) timed.unlock();
        if (recursive_timed.try_lock_until(std::chrono::steady_clock::now() + 60s)) recursive_timed.unlock();
        if (i % 10 == own) {
            std::unique_lock writer(shared);
            written++;
        } else {
            std::shared_lock reader(shared);
        }
        if (shared_timed.try_lock_shared_for(60s)) shared_timed.unlock_shared();
        counting.acquire();
        counting.release();
    }
    for (int i = 0; i < 10; i++) rounds.arrive_and_wait();
    std::call_once(once, [] { std::puts("once"); });
}

static void timeouts() {
    std::lock_guard first(timed);
    std::jthread([] {
        std::printf("timed %d\n", timed.try_lock_for(3ms));
        std::printf("timed, until %d\n", timed.try_lock_until(std::chrono::system_clock::now() + 3ms));
        std::printf("shared_timed %d\n", shared_timed.try_lock_for(3ms));
        shared_timed.unlock();
        std::printf("told %d\n", told.try_acquire_for(3ms));
    }).join();
}

static void conditions() {
    std::jthread waiter([](std::stop_token stop) {
        std::unique_lock guard(any_mutex);
        std::printf("ready %d\n", any.wait(guard, stop, [] { return ready; }));
        std::printf("stopped %d\n", !any.wait(guard, stop, [] { return false; }));
    });
    std::this_thread::sleep_for(5ms);
    {
        std::lock_guard guard(any_mutex);
        ready = true;
    }
    any.notify_all();
    std::this_thread::sleep_for(5ms);
    waiter.request_stop();
    waiter.join();

    std::condition_variable plain_condition;
    std::unique_lock guard(plain);
    std::printf("wait_for %d\n", plain_condition.wait_for(guard, 3ms) == std::cv_status::timeout);
    std::printf("wait_until %d\n",
                plain_condition.wait_until(guard, std::chrono::system_clock::now() + 3ms) == std::cv_status::timeout);
}

static void atomics() {
    std::jthread waiter([] {
        flag.wait(0);
        std::printf("flag %d\n", flag.load());
        told.release();
    });
    std::this_thread::sleep_for(5ms);
    flag = 7;
    flag.notify_all();
    told.acquire();
}

int main() {
    std::vector<std::jthread> threads;
    for (int own = 0; own < 4; own++) threads.emplace_back(work, own);
    threads.clear();
    timeouts();
    conditions();
    atomics();
    std::printf("sum %ld, written %ld\n", sum, written);
}

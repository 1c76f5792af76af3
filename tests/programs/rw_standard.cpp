// What the C++ standard library makes of reader-writer locks: std::shared_mutex and std::shared_timed_mutex.
#include <chrono>
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

template <typename Mutex> static void counted(const char *name) {
    Mutex mutex;
    long first = 0, second = 0, torn = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 16; i++)
        threads.emplace_back([&, i] {
            for (int round = 0; round < 2000; round++) {
                if ((round + i) % 8 == 0) {
                    std::unique_lock<Mutex> writing(mutex);
                    first++;
                    second++;
                } else {
                    std::shared_lock<Mutex> reading(mutex);
                    if (first != second) torn++;
                }
            }
        });
    for (auto &thread : threads) thread.join();
    std::printf("%s: %ld %ld torn %ld\n", name, first, second, torn);
}

static void timed() {
    std::shared_timed_mutex mutex;
    std::shared_lock<std::shared_timed_mutex> reading(mutex);
    std::thread([&] {
        std::printf("a second reader: %d\n", mutex.try_lock_shared_for(1ms));
        mutex.unlock_shared();
        std::printf("a writer that tries: %d\n", mutex.try_lock());
        std::printf("a writer that waits: %d\n", mutex.try_lock_for(5ms));
        std::printf("until the system's time: %d\n", mutex.try_lock_until(std::chrono::system_clock::now() + 5ms));
        std::printf("until a steady time: %d\n", mutex.try_lock_until(std::chrono::steady_clock::now() + 5ms));
        std::printf("until a time that is over: %d\n", mutex.try_lock_until(std::chrono::steady_clock::time_point{}));
    }).join();
    reading.unlock();
    std::unique_lock<std::shared_timed_mutex> writing(mutex, 10s);
    std::thread([&] {
        std::printf("a reader that tries: %d\n", mutex.try_lock_shared());
        std::printf("a reader that waits: %d\n", mutex.try_lock_shared_for(5ms));
    }).join();
    try {
        mutex.lock();
        std::puts("locked twice");
    } catch (const std::system_error &error) {
        std::printf("refused: %d\n", error.code() == std::errc::resource_deadlock_would_occur);
    }
}

int main() {
    counted<std::shared_mutex>("shared_mutex");
    counted<std::shared_timed_mutex>("shared_timed_mutex");
    timed();
}

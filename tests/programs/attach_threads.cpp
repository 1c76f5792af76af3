// Threads that wait for a mutex, a shared mutex and a condition variable until standard input ends. Every hold is a sleep, so that
// waiters wait in the kernel whatever the machine does meanwhile.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <unistd.h>
#include <vector>

std::mutex journal_mutex;
std::shared_mutex index_mutex;
std::mutex news_mutex;
std::condition_variable news_came;
std::atomic<bool> over{false};
int entries, news;

using namespace std::chrono_literals;

struct Journal {
    __attribute__((noinline)) void append_entry() {
        std::lock_guard<std::mutex> held(journal_mutex);
        std::this_thread::sleep_for(1ms);
        entries++;
    }
};

__attribute__((noinline)) void look_up_index() {
    std::shared_lock<std::shared_mutex> held(index_mutex);
    std::this_thread::sleep_for(500us);
}

__attribute__((noinline)) void rebuild_index() {
    std::unique_lock<std::shared_mutex> held(index_mutex);
    std::this_thread::sleep_for(2ms);
}

__attribute__((noinline)) void await_news() {
    std::unique_lock<std::mutex> held(news_mutex);
    int seen = news;
    news_came.wait(held, [&] { return news != seen || over; });
}

__attribute__((noinline)) void publish_news() {
    {
        std::lock_guard<std::mutex> held(news_mutex);
        news++;
    }
    news_came.notify_all();
}

int main() {
    std::vector<std::thread> threads;
    auto repeat = [&](void (*work)()) {
        threads.emplace_back([work] {
            while (!over)
                work();
        });
    };
    for (int i = 0; i < 3; i++)
        repeat([] { Journal().append_entry(); });
    repeat(look_up_index);
    repeat(rebuild_index);
    repeat(await_news);
    repeat([] {
        std::this_thread::sleep_for(5ms);
        publish_news();
    });
    std::puts("ready");
    std::fflush(stdout);
    char byte;
    while (read(0, &byte, 1) > 0)
        ;
    over = true;
    publish_news();
    for (auto &thread : threads)
        thread.join();
}

// Hangs on purpose: `stuck_cpp THREADS`. Each thread holds a std::mutex and waits for the next thread's.
#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>
#include <unistd.h>
#include <vector>

static std::deque<std::mutex> accounts;

[[gnu::noinline]] static void transfer(int from, int to, std::barrier<> &all_hold) {
    std::lock_guard<std::mutex> first(accounts[from]);
    all_hold.arrive_and_wait();
    std::lock_guard<std::mutex> second(accounts[to]);
}

int main(int, char **words) {
    int threads = std::atoi(words[1]);
    accounts.resize(threads);
    std::barrier<> all_hold(threads);
    std::vector<std::thread> all;
    for (int at = 0; at < threads; at++) {
        all.emplace_back(transfer, at, (at + 1) % threads, std::ref(all_hold));
    }
    std::printf("ready %d\n", getpid());
    std::fflush(stdout);
    std::getchar();
    _exit(0);
}

// A thread that waits for a std::atomic while another one sleeps. Prints how much CPU time it spent waiting, by its own clock.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <thread>

static long long cpu_ns(clockid_t clock) {
    timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

struct Spin {
    std::atomic<bool> free{false};
    std::atomic_flag taken = ATOMIC_FLAG_INIT;

    void wait(int round) {
        if (round % 2 == 0) {
            while (!free.load(std::memory_order_acquire)) {
            }
        } else {
            while (taken.test_and_set(std::memory_order_acquire)) {
            }
        }
    }
};

int main() {
    constexpr int rounds = 12;
    Spin *spin = new Spin;
    std::atomic<int> turn{0};
    std::thread waiting([&] {
        long long spent_ns = 0;
        for (int round = 0; round < rounds; round++) {
            spin->free.store(false);
            spin->taken.test_and_set();
            turn.store(round + 1);
            long long begin = cpu_ns(CLOCK_THREAD_CPUTIME_ID);
            spin->wait(round);
            spent_ns += cpu_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
        }
        std::printf("spun_ns %lld\n", spent_ns);
        std::printf("cpu_ns %lld\n", cpu_ns(CLOCK_PROCESS_CPUTIME_ID));
    });
    for (int round = 0; round < rounds; round++) {
        while (turn.load() != round + 1)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        // Only the word of this round: the waiting thread prepares the other one for the next as soon as it is released.
        if (round % 2 == 0) {
            spin->free.store(true);
        } else {
            spin->taken.clear();
        }
    }
    waiting.join();
}

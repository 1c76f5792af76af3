// mutex_reused THREADS: mutexes of C++, whose constructors call nothing, begin in memory that other mutexes had, held or free,
// and in which they left what they left. Each must begin free, and count right. Succeeds if so.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <thread>
#include <vector>

union Place {
    std::mutex plain;
    std::recursive_mutex recursive;
    std::timed_mutex timed;
    Place() {}
    ~Place() {}
};

static int work(unsigned seed) {
    int broken = 0;
    auto *place = static_cast<Place *>(std::malloc(sizeof(Place)));
    std::memset(static_cast<void *>(place), 0x5a, sizeof *place);
    for (int round = 0; round < 2000; round++) {
        seed = seed * 1664525 + 1013904223;
        bool leave_held = seed >> 20 & 1;
        switch (seed >> 24 & 3) {
        case 0:
            new (&place->plain) std::mutex;
            if (!place->plain.try_lock() || place->plain.try_lock()) broken++;
            if (!leave_held) place->plain.unlock();
            break;
        case 1:
            new (&place->recursive) std::recursive_mutex;
            if (!place->recursive.try_lock() || !place->recursive.try_lock()) broken++;
            place->recursive.unlock();
            if (!leave_held) place->recursive.unlock();
            break;
        case 2:
            new (&place->timed) std::timed_mutex;
            if (!place->timed.try_lock_for(std::chrono::seconds(1000))) broken++;
            if (!leave_held) place->timed.unlock();
            break;
        case 3: {
            std::mutex shared;
            long count = 0;
            std::thread other([&] { for (int i = 0; i < 10; i++) { std::scoped_lock hold(shared); count = count + 1; } });
            for (int i = 0; i < 10; i++) { std::scoped_lock hold(shared); count = count + 1; }
            other.join();
            if (count != 20) broken++;
        }
        }
        if (round % 500 == 499) {
            std::free(place);
            place = static_cast<Place *>(std::malloc(sizeof(Place)));
        }
    }
    std::free(place);
    return broken;
}

int main(int argc, char **argv) {
    unsigned count = argc > 1 ? std::atoi(argv[1]) : 4;
    std::vector<std::thread> threads;
    std::vector<int> broken(count);
    for (unsigned i = 0; i < count; i++) threads.emplace_back([&broken, i] { broken[i] = work(i); });
    int all = 0;
    for (unsigned i = 0; i < count; i++) threads[i].join(), all += broken[i];
    if (all) std::printf("%d broken\n", all);
    return all != 0;
}

// Leaves threads through the frames that started them, in the way named by the argument:
//
//   exit       pthread_exit from some calls deep, with a lock guard on the way
//   c11-exit   the same by thrd_exit
//   rethrow    what a catch-all sees of a cancellation, and throws on
//   async      cancelled between two instructions
//   throw      an exception that nobody catches: the program is terminated
//   noexcept   an exception in a std::thread that is caught, and one that is carried over by std::async
//   main       main leaves by pthread_exit, and the last thread ends the process
#include <atomic>
#include <cstdio>
#include <cstring>
#include <future>
#include <mutex>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <threads.h>
#include <unistd.h>

static std::mutex mutex;

struct Noisy {
    const char *what;
    ~Noisy() { std::printf("destructor of %s\n", what); }
};

template <typename Leave> __attribute__((noinline)) static void deep(int depth, Leave leave) {
    Noisy noisy = {depth ? "a frame" : "the last frame"};
    if (depth)
        deep(depth - 1, leave);
    else {
        std::lock_guard guard(mutex);
        leave();
    }
    asm volatile("");
}

static void *leave_by_exit(void *argument) {
    deep(3, [=] { pthread_exit(argument); });
    return nullptr;
}

static int leave_by_c11_exit(void *) {
    deep(3, [] { thrd_exit(43); });
    return 0;
}

static void *see_cancellation(void *waiting) {
    try {
        *static_cast<std::atomic<bool> *>(waiting) = true;
        for (;;) pause();
    } catch (...) {
        std::puts("seen");
        throw;
    }
    return nullptr;
}

static void *spin_for_ever(void *running) {
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, nullptr);
    *static_cast<std::atomic<bool> *>(running) = true;
    for (;;) asm volatile("");
    return nullptr;
}

static void *throw_uncaught(void *) {
    std::lock_guard guard(mutex);
    throw std::runtime_error("nobody catches this");
}

static void *last_thread(void *) {
    usleep(20000);
    std::lock_guard guard(mutex);
    std::puts("last words");
    return nullptr;
}

static void cancel(void *(*what)(void *)) {
    std::atomic<bool> there = false;
    pthread_t thread;
    void *result;
    pthread_create(&thread, nullptr, what, &there);
    while (!there) usleep(100);
    usleep(2000);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    std::puts(result == PTHREAD_CANCELED ? "cancelled" : "not cancelled");
}

int main(int argc, char **argv) {
    const std::string way = argc > 1 ? argv[1] : "exit";
    pthread_t thread;
    void *result;
    if (way == "exit") {
        pthread_create(&thread, nullptr, leave_by_exit, &result);
        pthread_join(thread, &result);
        std::printf("result %d\n", result == &result);
    } else if (way == "c11-exit") {
        thrd_t c11;
        int code;
        thrd_create(&c11, leave_by_c11_exit, nullptr);
        thrd_join(c11, &code);
        std::printf("code %d\n", code);
    } else if (way == "rethrow") {
        cancel(see_cancellation);
    } else if (way == "async") {
        cancel(spin_for_ever);
    } else if (way == "throw") {
        std::fflush(stdout);
        pthread_create(&thread, nullptr, throw_uncaught, nullptr);
        pthread_join(thread, &result);
    } else if (way == "noexcept") {
        std::thread([] {
            try {
                deep(3, [] { throw std::runtime_error("caught"); });
            } catch (const std::exception &error) {
                std::puts(error.what());
            }
        }).join();
        auto later = std::async(std::launch::async, []() -> int {
            deep(1, [] { throw std::runtime_error("carried over"); });
            return 0;
        });
        try {
            later.get();
        } catch (const std::exception &error) {
            std::puts(error.what());
        }
    } else if (way == "main") {
        pthread_create(&thread, nullptr, last_thread, nullptr);
        std::fflush(stdout);
        pthread_exit(nullptr);
    }
    std::lock_guard guard(mutex);
    std::puts("mutex was free");
}

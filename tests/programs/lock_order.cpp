// Threads that acquire C++ locks in two orders, one after the other, so that they never wait for each other.
// Usage: lock_order_cpp CASE
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>

static std::mutex left, right;
static std::recursive_mutex again;
static std::shared_mutex shared;

template <typename Work> static void run(Work work) { std::thread(work).join(); }

static void left_then_right() {
    std::lock_guard<std::mutex> one(left);
    std::lock_guard<std::mutex> other(right);
}

static void right_then_left() {
    std::unique_lock<std::mutex> one(right);
    std::unique_lock<std::mutex> other(left);
}

// std::lock tries the second mutex, and lets go of the first if it is taken.
static void both(std::mutex &one, std::mutex &other) { std::scoped_lock held(one, other); }

int main(int count, char **words) {
    const std::string which = count > 1 ? words[1] : "";
    if (which == "inversion") {
        run(left_then_right);
        run(right_then_left);
    } else if (which == "scoped") {
        run([] { both(left, right); });
        run([] { both(right, left); });
    } else if (which == "shared") {
        run([] { std::shared_lock<std::shared_mutex> one(shared); std::lock_guard<std::mutex> other(left); });
        run([] { std::lock_guard<std::mutex> one(left); std::unique_lock<std::shared_mutex> other(shared); });
    } else if (which == "recursive") {
        auto work = [] {
            std::lock_guard<std::recursive_mutex> one(again);
            std::lock_guard<std::mutex> two(left);
            std::lock_guard<std::recursive_mutex> three(again);
        };
        run(work);
        run(work);
    } else {
        return 2;
    }
}

// Takes one mutex from everywhere that runs after main: destructors of statics and of thread-local objects, handlers of
// atexit, a library destructor, and a detached thread that goes on until the end.
//
// Answer: `counted` is acquired 11 times.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <unistd.h>

static std::mutex counted;
static std::mutex churned;
static std::atomic<bool> churning;

static void take(const char *where) {
    std::lock_guard guard(counted);
    // Not std::cout or stdio, which may be gone.
    char line[64];
    int length = std::snprintf(line, sizeof line, "%s\n", where);
    if (write(1, line, length) != length) std::abort();
}

struct Late {
    const char *where;
    ~Late() { take(where); }
};

static Late first = {"static, constructed first"};
static Late second = {"static, constructed second"};
thread_local Late local = {"thread-local"};

__attribute__((destructor)) static void at_unload() { take("destructor function"); }
__attribute__((constructor)) static void before_main() { take("constructor function"); }

int main() {
    take("main");
    std::atexit([] { take("atexit"); });
    static Late of_function = {"static of a function"};
    // Makes the thread's own.
    if (local.where == nullptr) return 1;
    std::thread([] {
        if (local.where != nullptr) take("thread");
    }).join();
    std::thread([] {
        for (;;) {
            std::lock_guard guard(churned);
            churning = true;
        }
    }).detach();
    while (!churning) usleep(100);
    take("end of main");
}

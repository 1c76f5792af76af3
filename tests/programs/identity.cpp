// Which locks are the same, and which only live at the same place.
//
//   again        one pthread mutex, initialised, taken 10 + i times and destroyed, 5 times over, at one static address
//   std::mutex   in a struct that is allocated, taken 3 times and freed, 1000 times: the allocator gives the same memory
//   slots        a static array of 100 mutexes, each taken twice
//   few_slots    a static array of 3 mutexes, taken 1, 2 and 3 times
//   a million    (or as many as the argument says) mutexes made by one function and alive at once, each taken once
//   two_makers   locks on the heap made by two functions: 5 by one, 7 by the other, each taken by the same code
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <vector>

static pthread_mutex_t again;
static pthread_mutex_t slots[100];
static std::mutex few_slots[3];

[[gnu::noinline]] static void take(pthread_mutex_t *mutex, int times) {
    for (int i = 0; i < times; i++) {
        pthread_mutex_lock(mutex);
        pthread_mutex_unlock(mutex);
    }
}

[[gnu::noinline]] static void reinitialise() {
    for (int i = 0; i < 5; i++) {
        pthread_mutex_init(&again, nullptr);
        take(&again, 10 + i);
        pthread_mutex_destroy(&again);
    }
}

struct Holder {
    long before = 0;
    std::mutex mutex;
    long after = 0;
};

[[gnu::noinline]] static void reallocate() {
    for (int i = 0; i < 1000; i++) {
        auto holder = std::make_unique<Holder>();
        for (int k = 0; k < 3; k++) {
            std::lock_guard guard(holder->mutex);
            holder->after++;
        }
    }
}

[[gnu::noinline]] static pthread_mutex_t *make_here() {
    auto *mutex = static_cast<pthread_mutex_t *>(std::malloc(sizeof(pthread_mutex_t)));
    pthread_mutex_init(mutex, nullptr);
    asm volatile("");
    return mutex;
}

[[gnu::noinline]] static pthread_mutex_t *make_there() {
    auto *mutex = static_cast<pthread_mutex_t *>(std::malloc(sizeof(pthread_mutex_t)));
    pthread_mutex_init(mutex, nullptr);
    asm volatile("nop");
    return mutex;
}

[[gnu::noinline]] static void two_makers() {
    std::vector<pthread_mutex_t *> all;
    for (int i = 0; i < 5; i++) all.push_back(make_here());
    for (int i = 0; i < 7; i++) all.push_back(make_there());
    for (auto *mutex : all) take(mutex, 2);
}

[[gnu::noinline]] static void make_many(long count) {
    auto *many = static_cast<pthread_mutex_t *>(std::calloc(count, sizeof(pthread_mutex_t)));
    for (long i = 0; i < count; i++) pthread_mutex_init(&many[i], nullptr);
    for (long i = 0; i < count; i++) {
        pthread_mutex_lock(&many[i]);
        pthread_mutex_unlock(&many[i]);
    }
}

int main(int argc, char **argv) {
    long count = argc > 1 ? std::atol(argv[1]) : 1000;
    reinitialise();
    reallocate();
    for (auto &slot : slots) take(&slot, 2);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= i; k++) std::lock_guard guard(few_slots[i]);
    two_makers();
    make_many(count);
    std::printf("%ld\n", count);
}

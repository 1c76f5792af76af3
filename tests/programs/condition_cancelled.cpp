// condition_cancelled THREADS [any]: threads wait for tokens, and are cancelled at the moment at which tokens are handed out,
// in each way that a thread can be cancelled. Their clean-up handlers hold the mutex, their destructors run, and no token is
// left lying while somebody waits for one: a cancelled thread has not used up a signal. Succeeds if all of it is so.
//
// With "any" some may be cancelled at any instruction, which POSIX allows for no call of these. The C library cancels them
// while it acquires the mutex, and their handlers run without it.
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>
#include <vector>

#define CHECK(what)                                                                                                              \
    do {                                                                                                                         \
        if (!(what)) {                                                                                                           \
            std::fprintf(stderr, "line %d: %s\n", __LINE__, #what);                                                              \
            std::exit(1);                                                                                                        \
        }                                                                                                                        \
    } while (0)

static pthread_mutex_t mutex;
static pthread_cond_t handed_out = PTHREAD_COND_INITIALIZER;
static long tokens, taken, waiting, cleaned;
static std::atomic<long> destroyed{0};
static long round_of_all;
static bool at_any_instruction;

struct Destroyed {
    ~Destroyed() { destroyed++; }
};

static void clean_up(void *way) {
    // Cancelled between the end of its wait and its look at the tokens, which only this way allows, it has used up a signal.
    if (at_any_instruction && (long)way % 4 == 3) CHECK(pthread_cond_signal(&handed_out) == 0);
    // It is held, by this thread: an error-checking mutex knows.
    CHECK(pthread_mutex_lock(&mutex) == EDEADLK);
    waiting--;
    cleaned++;
    CHECK(pthread_mutex_unlock(&mutex) == 0);
}

static void *take_one(void *argument) {
    Destroyed destroyed_at_the_end;
    long way = (long)argument;
    int before;
    CHECK(pthread_mutex_lock(&mutex) == 0);
    waiting++;
    pthread_cleanup_push(clean_up, argument);
    bool asynchronous = at_any_instruction && way % 4 == 3;
    if (asynchronous) pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before);
    while (tokens == 0) {
        timespec far;
        clock_gettime(CLOCK_MONOTONIC, &far);
        far.tv_sec += 100;
        if (way % 4 == 1)
            pthread_cond_clockwait(&handed_out, &mutex, CLOCK_MONOTONIC, &far);
        else
            pthread_cond_wait(&handed_out, &mutex);
    }
    if (asynchronous) pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &before);
    tokens--;
    taken++;
    waiting--;
    CHECK(pthread_mutex_unlock(&mutex) == 0);
    pthread_cleanup_pop(0);
    return &mutex;
}

static bool within_patience(bool (*reached)()) {
    for (int patience = 0; patience < 200000; patience++) {
        CHECK(pthread_mutex_lock(&mutex) == 0);
        bool there = reached();
        CHECK(pthread_mutex_unlock(&mutex) == 0);
        if (there) return true;
        if (patience < 100) sched_yield();
        else usleep(100);
    }
    return false;
}

static long all_waiting;

static void cancel_half(long threads, bool broadcast) {
    std::vector<pthread_t> thread(threads);
    tokens = taken = waiting = cleaned = 0;
    destroyed = 0;
    all_waiting = threads;
    for (long i = 0; i < threads; i++) CHECK(pthread_create(&thread[i], nullptr, take_one, (void *)(i + round_of_all)) == 0);
    CHECK(within_patience([] { return waiting == all_waiting; }));
    // As many tokens as threads that are not cancelled, each with one signal, and the requests among them.
    for (long i = 0; i < threads; i++) {
        if (i % 2) {
            CHECK(pthread_cancel(thread[i]) == 0);
            continue;
        }
        CHECK(pthread_mutex_lock(&mutex) == 0);
        tokens++;
        if (round_of_all % 2) CHECK(pthread_cond_signal(&handed_out) == 0);
        CHECK(pthread_mutex_unlock(&mutex) == 0);
        if (round_of_all % 2 == 0) CHECK(pthread_cond_signal(&handed_out) == 0);
    }
    // No more signals: whoever waits must have been told, as long as there is a token for him.
    CHECK(within_patience([] { return tokens == 0 || waiting == 0; }));
    if (broadcast) {
        CHECK(pthread_mutex_lock(&mutex) == 0);
        tokens += threads;
        CHECK(pthread_cond_broadcast(&handed_out) == 0);
        CHECK(pthread_mutex_unlock(&mutex) == 0);
    } else {
        for (long i = 0; i < threads; i++) pthread_cancel(thread[i]);
    }
    long ended = 0;
    for (long i = 0; i < threads; i++) {
        void *result;
        CHECK(pthread_join(thread[i], &result) == 0);
        if (result == &mutex) ended++;
        else CHECK(result == PTHREAD_CANCELED);
    }
    CHECK(ended == taken && ended + cleaned == threads && waiting == 0 && destroyed == threads);
}

static void *wait_disabled(void *) {
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    CHECK(pthread_mutex_lock(&mutex) == 0);
    waiting++;
    while (tokens == 0) CHECK(pthread_cond_wait(&handed_out, &mutex) == 0);
    tokens--;
    CHECK(pthread_mutex_unlock(&mutex) == 0);
    // Nothing was lost: it is acted upon as soon as it may be.
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &before);
    pthread_testcancel();
    CHECK(false);
    return nullptr;
}

static void not_before_it_may_be() {
    pthread_t thread;
    tokens = waiting = 0;
    CHECK(pthread_create(&thread, nullptr, wait_disabled, nullptr) == 0);
    CHECK(within_patience([] { return waiting == 1; }));
    CHECK(pthread_cancel(thread) == 0);
    usleep(2000);
    CHECK(pthread_mutex_lock(&mutex) == 0);
    tokens = 1;
    CHECK(pthread_cond_signal(&handed_out) == 0);
    CHECK(pthread_mutex_unlock(&mutex) == 0);
    void *result;
    CHECK(pthread_join(thread, &result) == 0);
    CHECK(result == PTHREAD_CANCELED && tokens == 0);
}

static void *cancel_itself(void *) {
    CHECK(pthread_mutex_lock(&mutex) == 0);
    waiting++;
    pthread_cleanup_push(clean_up, nullptr);
    pthread_cancel(pthread_self());
    for (;;) pthread_cond_wait(&handed_out, &mutex);
    pthread_cleanup_pop(0);
    return nullptr;
}

int main(int count, char **arguments) {
    long threads = count > 1 ? std::atol(arguments[1]) : 8;
    at_any_instruction = count > 2;
    pthread_mutexattr_t checking;
    pthread_mutexattr_init(&checking);
    pthread_mutexattr_settype(&checking, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&mutex, &checking);
    for (; round_of_all < 60; round_of_all++) cancel_half(threads, round_of_all % 3 == 0);
    not_before_it_may_be();
    cleaned = waiting = 0;
    pthread_t thread;
    CHECK(pthread_create(&thread, nullptr, cancel_itself, nullptr) == 0);
    void *result;
    CHECK(pthread_join(thread, &result) == 0);
    CHECK(result == PTHREAD_CANCELED && cleaned == 1);
    CHECK(pthread_cond_destroy(&handed_out) == 0);
}

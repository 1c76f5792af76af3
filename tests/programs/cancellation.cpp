// Cancels a thread that waits for a condition. Cleanup handlers must run, destructors must run, and the mutex must be
// held in them, as POSIX says of pthread_cond_wait.
#include <cstdio>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static bool waiting;

struct Noisy {
    ~Noisy() { std::puts("destructor ran"); }
};

static void cleanup(void *) {
    std::printf("cleanup ran, mutex is %s\n", pthread_mutex_trylock(&mutex) ? "held" : "free");
    pthread_mutex_unlock(&mutex);
}

static void *wait_in_vain(void *timed) {
    Noisy noisy;
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(cleanup, nullptr);
    waiting = true;
    for (;;) {
        if (timed) {
            timespec far = {4000000000, 0};
            pthread_cond_timedwait(&never, &mutex, &far);
        } else {
            pthread_cond_wait(&never, &mutex);
        }
    }
    pthread_cleanup_pop(1);
    return nullptr;
}

static void cancel_one(bool timed) {
    pthread_t thread;
    waiting = false;
    pthread_create(&thread, nullptr, wait_in_vain, timed ? &waiting : nullptr);
    for (bool there = false; !there; usleep(1000)) {
        pthread_mutex_lock(&mutex);
        there = waiting;
        pthread_mutex_unlock(&mutex);
    }
    pthread_cancel(thread);
    void *result;
    pthread_join(thread, &result);
    std::puts(result == PTHREAD_CANCELED ? "cancelled" : "not cancelled");
}

int main() {
    cancel_one(false);
    cancel_one(true);
}

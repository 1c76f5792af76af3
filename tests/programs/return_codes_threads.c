// Threads: what creating, naming, joining and leaving them returns.
#include "show.h"
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *give_back(void *argument) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return argument;
}

static void *leave(void *argument) {
    pthread_exit(argument);
}

static void *join_self(void *unused) {
    SHOW(pthread_join(pthread_self(), NULL));
    return unused;
}

static void *wait_for_release(void *released) {
    while (!__atomic_load_n((int *)released, __ATOMIC_ACQUIRE)) sleep_ms(1);
    return released;
}

static void show_name(pthread_t thread) {
    char name[16] = "?";
    SHOW(pthread_getname_np(thread, name, sizeof name));
    printf("name %s\n", name);
}

static void names(void) {
    char name[17] = "?";
    int released = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_release, &released);
    SHOW(pthread_setname_np(thread, "exactly-15-char"));
    show_name(thread);
    SHOW(pthread_setname_np(thread, "this one is too long"));
    show_name(thread);
    SHOW(pthread_setname_np(thread, ""));
    show_name(thread);
    SHOW(pthread_getname_np(thread, name, 15));
    SHOW(pthread_setname_np(pthread_self(), "renamed"));
    SHOW_ERRNO(prctl(PR_GET_NAME, name));
    printf("name %s\n", name);
    SHOW_ERRNO(prctl(PR_SET_NAME, "by prctl, and too long"));
    show_name(pthread_self());
    void *result;
    struct timespec soon = in_ms(CLOCK_REALTIME, 3);
    SHOW(pthread_tryjoin_np(thread, &result));
    SHOW(pthread_timedjoin_np(thread, &result, &soon));
    __atomic_store_n(&released, 1, __ATOMIC_RELEASE);
    soon = in_ms(CLOCK_MONOTONIC, 60000);
    SHOW(pthread_clockjoin_np(thread, &result, CLOCK_MONOTONIC, &soon));
    printf("result %d\n", result == &released);
}

static void attributes(void) {
    pthread_t thread;
    pthread_attr_t attributes;
    void *result;
    pthread_attr_init(&attributes);
    SHOW(pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN));
    SHOW(pthread_create(&thread, &attributes, give_back, &mutex));
    SHOW(pthread_join(thread, &result));
    printf("result %d\n", result == &mutex);
    SHOW(pthread_attr_setstacksize(&attributes, 1));
    SHOW(pthread_attr_setstacksize(&attributes, 1ul << 60));
    SHOW(pthread_create(&thread, &attributes, give_back, &mutex));
    pthread_attr_destroy(&attributes);
    pthread_attr_init(&attributes);
    SHOW(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED));
    SHOW(pthread_create(&thread, &attributes, give_back, &mutex));
    pthread_attr_destroy(&attributes);
}

// What a new thread has of its creator: signals blocked before it runs its first line, nothing pending.
static void *show_signals(void *unused) {
    sigset_t blocked;
    pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    for (int signal = 1; signal < 32; signal++)
        if (sigismember(&blocked, signal)) printf("blocked %d\n", signal);
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    SHOW(pthread_create(&thread, NULL, give_back, &mutex));
    SHOW(pthread_join(thread, &result));
    printf("result %d\n", result == &mutex);
    SHOW(pthread_create(&thread, NULL, leave, &result));
    SHOW(pthread_join(thread, &result));
    printf("result %d\n", result == &result);
    // Not printed: the thread would print at the same time.
    pthread_create(&thread, NULL, join_self, NULL);
    SHOW(pthread_join(thread, NULL));
    SHOW(pthread_create(&thread, NULL, give_back, NULL));
    SHOW(pthread_detach(thread));
    names();
    attributes();
    sigset_t some;
    sigemptyset(&some);
    sigaddset(&some, SIGUSR2);
    sigaddset(&some, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &some, NULL);
    pthread_create(&thread, NULL, show_signals, NULL);
    pthread_join(thread, NULL);
    // The last thread's return ends the process: with what it gives back, if main has left.
    fflush(stdout);
    pthread_exit(NULL);
}

// A process, one that it forks, and one that it forks and that becomes another program (itself, with a word): in each, one thread holds a
// mutex ROUNDS times until another waits for it, and for HOLD_MS milliseconds more. The first two share `family_lock` by name, each with a
// copy of its own; the third has `stranger_lock`.
//
// Says "ready", works when a line comes, and waits for another before it ends. Answer: 2 * ROUNDS waits for one row with two instances, and
// ROUNDS for the other. Prints "family NS" twice and "stranger NS": each waiter's sum, as it saw it.
#include "measure.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 5, HOLD_MS = 20 };

static pthread_mutex_t family_lock = PTHREAD_MUTEX_INITIALIZER, stranger_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t held, released;
static struct coming coming;

__attribute__((noinline)) static void hold_once(pthread_mutex_t *mutex) {
    pthread_mutex_lock(mutex);
    pthread_barrier_wait(&held);
    await_waiter(&coming);
    sleep_ns(HOLD_MS * 1000000LL);
    pthread_mutex_unlock(mutex);
    pthread_barrier_wait(&released);
}

static void *hold(void *mutex) {
    for (int i = 0; i < ROUNDS; i++) hold_once(mutex);
    return mutex;
}

static long long wait_once(void (*lock)(void), pthread_mutex_t *mutex) {
    pthread_barrier_wait(&held);
    come(&coming);
    long long begin = now_ns();
    lock();
    long long waited = now_ns() - begin;
    pthread_mutex_unlock(mutex);
    pthread_barrier_wait(&released);
    return waited;
}

__attribute__((noinline)) static void in_the_family(void) {
    pthread_mutex_lock(&family_lock);
    __asm__ volatile("");
}

__attribute__((noinline)) static void as_a_stranger(void) {
    pthread_mutex_lock(&stranger_lock);
    __asm__ volatile("");
}

static void work(const char *name, void (*lock)(void), pthread_mutex_t *mutex) {
    pthread_t holder;
    long long total = 0;
    pthread_barrier_init(&held, NULL, 2);
    pthread_barrier_init(&released, NULL, 2);
    pthread_create(&holder, NULL, hold, mutex);
    for (int i = 0; i < ROUNDS; i++) total += wait_once(lock, mutex);
    pthread_join(holder, NULL);
    printf("%s %lld\n", name, total);
    fflush(stdout);
}

int main(int argc, char **argv) {
    if (argc > 1) {
        // So long that it is looked at before it waits, on a machine that is not busy.
        sleep_ns(300 * 1000000LL);
        work("stranger", as_a_stranger, &stranger_lock);
        return 0;
    }
    puts("ready");
    fflush(stdout);
    getchar();
    pid_t child = fork();
    if (child == 0) {
        work("family", in_the_family, &family_lock);
        _exit(0);
    }
    pid_t stranger = fork();
    if (stranger == 0) {
        execl("/proc/self/exe", "family_waits", "stranger", (char *)NULL);
        _exit(1);
    }
    work("family", in_the_family, &family_lock);
    waitpid(child, NULL, 0);
    waitpid(stranger, NULL, 0);
    puts("done");
    fflush(stdout);
    getchar();
    return 0;
}

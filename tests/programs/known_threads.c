// Threads that are told apart by what they do and what they are called, some of them only later.
//
//   "early"     named by its creator at once; waits for a mutex, 20 ms
//   "late"      named by itself at its end; waits for a condition, 20 ms
//   "renamed"   had another name before; keeps a processor busy for 20 ms
//   unnamed     sleeps for 20 ms; its name is the process's
// Prints the measured times: mutex wait, condition wait, busy by the thread's own clock, in ns.
#include "measure.h"
#include <pthread.h>
#include <sys/prctl.h>

static pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER, mutex = PTHREAD_MUTEX_INITIALIZER;
// For threads that only need to have locked something: "late" must not have to wait for them.
static pthread_mutex_t others = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t told = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t held;
static int is_waiting, is_told;
static long long busy_wait_ns, told_wait_ns, spun_ns;

static void *wait_for_mutex(void *unused) {
    pthread_barrier_wait(&held);
    long long begin = now_ns();
    pthread_mutex_lock(&busy);
    busy_wait_ns = now_ns() - begin;
    pthread_mutex_unlock(&busy);
    return unused;
}

static void *wait_for_condition(void *unused) {
    pthread_mutex_lock(&mutex);
    __atomic_store_n(&is_waiting, 1, __ATOMIC_RELEASE);
    long long begin = now_ns();
    while (!is_told) pthread_cond_wait(&told, &mutex);
    told_wait_ns = now_ns() - begin;
    pthread_mutex_unlock(&mutex);
    prctl(PR_SET_NAME, "late");
    return unused;
}

static void *spin(void *unused) {
    struct timespec begin, now;
    prctl(PR_SET_NAME, "before");
    pthread_mutex_lock(&others);
    pthread_mutex_unlock(&others);
    pthread_setname_np(pthread_self(), "renamed");
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    do {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        spun_ns = (now.tv_sec - begin.tv_sec) * 1000000000LL + now.tv_nsec - begin.tv_nsec;
    } while (spun_ns < 20000000);
    return unused;
}

static void *sleep_only(void *unused) {
    pthread_mutex_lock(&others);
    pthread_mutex_unlock(&others);
    sleep_ns(20000000);
    return unused;
}

int main(void) {
    void *(*roles[])(void *) = {wait_for_mutex, wait_for_condition, spin, sleep_only};
    pthread_t threads[4];
    pthread_barrier_init(&held, NULL, 2);
    pthread_mutex_lock(&busy);
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, roles[i], NULL);
    pthread_setname_np(threads[0], "early");
    pthread_barrier_wait(&held);
    // Without the mutex, which nobody is to wait for here: who has it later knows that "late" waits for its condition.
    while (!__atomic_load_n(&is_waiting, __ATOMIC_ACQUIRE)) sleep_ns(100000);
    sleep_ns(20000000);
    pthread_mutex_unlock(&busy);
    pthread_mutex_lock(&mutex);
    is_told = 1;
    // Given back first, or "late" might have to wait for it, too.
    pthread_mutex_unlock(&mutex);
    pthread_cond_signal(&told);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    answer("busy_wait", busy_wait_ns);
    answer("told_wait", told_wait_ns);
    answer("spun", spun_ns);
    return 0;
}

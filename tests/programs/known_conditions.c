// Threads that tell each other something by condition variables: waiting for a signal is never contention, what comes
// after it may be.
//
//   handed     a consumer waits WAITS times; the producer signals while it holds `mutex`, and keeps it until the consumer has
//              come to it, and for 2 ms more
//   announced  3 threads wait for one broadcast, 5 times over, each time for 4 ms
//   late       4 waits with a deadline that passes after 3 ms
//
// Prints for each: waits, signals or broadcasts, and how long was waited, in ns; for the first also how much of that came
// after the signal, and how much of that the producer kept the mutex.
#include "measure.h"
#include <pthread.h>

enum { WAITS = 10, CROWD = 3, BROADCASTS = 5, LATE = 4 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t crowd_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t handed = PTHREAD_COND_INITIALIZER;
static pthread_cond_t announced = PTHREAD_COND_INITIALIZER;
static pthread_cond_t late = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t ready;
static int parcels, round_number, waiting;
static long long signalled_ns, handed_wait_ns, relock_ns, kept_ns, announced_wait_ns, late_wait_ns, returns;
static long long came_back;

__attribute__((noinline)) static void wait_for_parcel(void) {
    pthread_mutex_lock(&mutex);
    waiting = 1;
    while (parcels == 0) {
        long long begin = now_ns();
        pthread_cond_wait(&handed, &mutex);
        long long end = now_ns();
        returns++;
        handed_wait_ns += end - begin;
        if (parcels) relock_ns += end - signalled_ns;
    }
    parcels--;
    waiting = 0;
    pthread_mutex_unlock(&mutex);
}

__attribute__((noinline)) static void hand_over(void) {
    for (int there = 0; !there;) {
        pthread_mutex_lock(&mutex);
        there = waiting;
        if (there) {
            spin_ns(1000000);
            parcels++;
            signalled_ns = now_ns();
            pthread_cond_signal(&handed);
            // The consumer, the first thread, is awake now, and not asleep again before it has come to the mutex.
            while (!is_asleep(getpid())) sleep_ns(50000);
            spin_ns(2000000);
            kept_ns += now_ns() - signalled_ns;
        }
        pthread_mutex_unlock(&mutex);
        if (!there) sleep_ns(200000);
    }
}

static void *produce(void *unused) {
    for (int i = 0; i < WAITS; i++) {
        sleep_ns(1000000);
        hand_over();
        pthread_barrier_wait(&ready);
    }
    return unused;
}

static void *join_crowd(void *unused) {
    for (int i = 0; i < BROADCASTS; i++) {
        pthread_mutex_lock(&crowd_mutex);
        int seen = round_number;
        waiting++;
        while (round_number == seen) {
            long long begin = now_ns();
            pthread_cond_wait(&announced, &crowd_mutex);
            announced_wait_ns += now_ns() - begin;
            came_back++;
        }
        pthread_mutex_unlock(&crowd_mutex);
        pthread_barrier_wait(&ready);
    }
    return unused;
}

static void announce(void) {
    for (int i = 0; i < BROADCASTS; i++) {
        for (int there = 0; !there; sleep_ns(200000)) {
            pthread_mutex_lock(&crowd_mutex);
            there = waiting == CROWD;
            pthread_mutex_unlock(&crowd_mutex);
        }
        sleep_ns(4000000);
        pthread_mutex_lock(&crowd_mutex);
        waiting = 0;
        round_number++;
        pthread_cond_broadcast(&announced);
        pthread_mutex_unlock(&crowd_mutex);
        pthread_barrier_wait(&ready);
    }
}

static void wait_late(void) {
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < LATE; i++) {
        struct timespec deadline;
        clock_gettime(CLOCK_REALTIME, &deadline);
        deadline.tv_nsec += 3000000;
        if (deadline.tv_nsec >= 1000000000) {
            deadline.tv_nsec -= 1000000000;
            deadline.tv_sec++;
        }
        long long begin = now_ns();
        pthread_cond_timedwait(&late, &mutex, &deadline);
        late_wait_ns += now_ns() - begin;
    }
    pthread_mutex_unlock(&mutex);
}

int main(void) {
    pthread_t threads[CROWD];
    pthread_barrier_init(&ready, NULL, 2);
    pthread_create(&threads[0], NULL, produce, NULL);
    for (int i = 0; i < WAITS; i++) {
        wait_for_parcel();
        pthread_barrier_wait(&ready);
    }
    pthread_join(threads[0], NULL);
    pthread_barrier_destroy(&ready);
    pthread_barrier_init(&ready, NULL, CROWD + 1);
    for (int i = 0; i < CROWD; i++) pthread_create(&threads[i], NULL, join_crowd, NULL);
    announce();
    for (int i = 0; i < CROWD; i++) pthread_join(threads[i], NULL);
    wait_late();

    printf("handed %lld %d %lld %lld %lld\n", returns, WAITS, handed_wait_ns, relock_ns, kept_ns);
    printf("announced %lld %d %lld\n", came_back, BROADCASTS, announced_wait_ns);
    printf("late %d %lld\n", LATE, late_wait_ns);
    return 0;
}

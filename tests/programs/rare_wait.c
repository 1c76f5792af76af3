// One long wait between many short holds, and then so many holds that a small ring forgets all that came before.
//
// A thread takes `paced` about every millisecond. After a while it has to wait for `slow`, which another thread holds. Long after that,
// it takes `hasty` very often. Prints "held NS" for each hold of `paced`, by CLOCK_MONOTONIC, and "waited BEGIN END" for the wait.
//
// Arguments: milliseconds before the wait and after it, milliseconds of the wait, holds of `hasty`.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t paced = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t slow = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t hasty = PTHREAD_MUTEX_INITIALIZER;
static sem_t is_held;
static long wait_ms;

static long long now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void sleep_ms(long ms) {
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

static void *hold(void *unused) {
    pthread_mutex_lock(&slow);
    sem_post(&is_held);
    sleep_ms(wait_ms);
    pthread_mutex_unlock(&slow);
    return unused;
}

static void pace(long ms) {
    long long end_ns = now_ns() + ms * 1000000LL;
    while (now_ns() < end_ns) {
        pthread_mutex_lock(&paced);
        printf("held %lld\n", now_ns());
        pthread_mutex_unlock(&paced);
        sleep_ms(1);
    }
}

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    wait_ms = atol(argv[2]);
    sem_init(&is_held, 0, 0);
    pace(atol(argv[1]));
    pthread_t holder;
    if (pthread_create(&holder, NULL, hold, NULL) != 0) return 1;
    while (sem_wait(&is_held) != 0) {}
    long long begin_ns = now_ns();
    pthread_mutex_lock(&slow);
    long long end_ns = now_ns();
    pthread_mutex_unlock(&slow);
    printf("waited %lld %lld\n", begin_ns, end_ns);
    pthread_join(holder, NULL);
    pace(atol(argv[1]));
    for (long i = 0; i < atol(argv[3]); i++) {
        pthread_mutex_lock(&hasty);
        pthread_mutex_unlock(&hasty);
    }
    return 0;
}

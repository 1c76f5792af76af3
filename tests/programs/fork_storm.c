// A process forks again and again while its other threads acquire locks of every kind. The forking thread holds all of them at the
// fork, as POSIX advises, so that the child finds what they guard in order; it releases them there, and the child goes on
// with threads of its own.
//
// Arguments: how many threads, how many forks, and anything more where the locks are the C library's own. Its reader-writer locks
// are not made for a child whose parent's threads waited for them, and it knows the holder of a recursive mutex by a number
// that has changed: these then begin anew in the child.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 64 };

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_rwlock_t readers_first = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t writers_first = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_spinlock_t spin;
static long pairs[5][2];
static volatile int over;
static int wrong;

static void count_up(int pair) {
    if (pairs[pair][0] != pairs[pair][1]) wrong = 1;
    pairs[pair][0]++;
    pairs[pair][1]++;
}

static void read_pair(pthread_rwlock_t *lock, int pair) {
    pthread_rwlock_rdlock(lock);
    if (pairs[pair][0] != pairs[pair][1]) wrong = 1;
    pthread_rwlock_unlock(lock);
}

static void use_all(unsigned dice) {
    pthread_mutex_lock(&plain);
    count_up(0);
    if (dice % 4 == 0) pthread_cond_broadcast(&changed);
    if (dice % 16 == 1) {
        struct timespec soon;
        clock_gettime(CLOCK_REALTIME, &soon);
        soon.tv_nsec = soon.tv_nsec < 999000000 ? soon.tv_nsec + 1000000 : 999999999;
        pthread_cond_timedwait(&changed, &plain, &soon);
    }
    pthread_mutex_unlock(&plain);

    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&recursive);
    count_up(1);
    pthread_mutex_unlock(&recursive);
    pthread_mutex_unlock(&recursive);

    read_pair(&readers_first, 2);
    read_pair(&writers_first, 3);
    if (dice % 8 == 0) {
        pthread_rwlock_wrlock(&readers_first);
        count_up(2);
        pthread_rwlock_unlock(&readers_first);
        pthread_rwlock_wrlock(&writers_first);
        count_up(3);
        pthread_rwlock_unlock(&writers_first);
    }

    pthread_spin_lock(&spin);
    count_up(4);
    pthread_spin_unlock(&spin);
}

static void *until_over(void *seed) {
    for (unsigned dice = (unsigned)(size_t)seed; !over; dice = dice * 1103515245u + 12345u) {
        use_all(dice >> 16);
        sched_yield();
    }
    return NULL;
}

static void *for_a_while(void *seed) {
    unsigned dice = (unsigned)(size_t)seed;
    for (int round = 0; round < 50; round++, dice = dice * 1103515245u + 12345u) use_all(dice >> 16);
    return NULL;
}

static void acquire_all(void) {
    pthread_mutex_lock(&plain);
    pthread_mutex_lock(&recursive);
    pthread_rwlock_wrlock(&readers_first);
    pthread_rwlock_wrlock(&writers_first);
    pthread_spin_lock(&spin);
}

static void release_all(void) {
    pthread_spin_unlock(&spin);
    pthread_rwlock_unlock(&writers_first);
    pthread_rwlock_unlock(&readers_first);
    pthread_mutex_unlock(&recursive);
    pthread_mutex_unlock(&plain);
}

static void release_in_child(int anew) {
    pthread_spin_unlock(&spin);
    pthread_cond_init(&changed, NULL);
    pthread_mutex_unlock(&plain);
    if (!anew) {
        pthread_rwlock_unlock(&writers_first);
        pthread_rwlock_unlock(&readers_first);
        pthread_mutex_unlock(&recursive);
        return;
    }
    pthread_mutexattr_t of_mutex;
    pthread_mutexattr_init(&of_mutex);
    pthread_mutexattr_settype(&of_mutex, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &of_mutex);
    pthread_rwlock_init(&readers_first, NULL);
    pthread_rwlockattr_t of_rwlock;
    pthread_rwlockattr_init(&of_rwlock);
    pthread_rwlockattr_setkind_np(&of_rwlock, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&writers_first, &of_rwlock);
}

int main(int argc, char **argv) {
    int threads = argc > 1 ? atoi(argv[1]) : 8, forks = argc > 2 ? atoi(argv[2]) : 40, anew = argc > 3;
    pthread_t all[MOST];
    if (threads > MOST) threads = MOST;
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    for (int i = 0; i < threads; i++) pthread_create(&all[i], NULL, until_over, (void *)(size_t)(i + 1));
    for (int round = 0; round < forks; round++) {
        acquire_all();
        pid_t child = fork();
        if (child == 0) {
            alarm(60);
            release_in_child(anew);
            use_all(0);
            pthread_t two[2];
            for (int i = 0; i < 2; i++) pthread_create(&two[i], NULL, for_a_while, (void *)(size_t)(round + i));
            for (int i = 0; i < 2; i++) pthread_join(two[i], NULL);
            for (int i = 0; i < 5; i++)
                if (pairs[i][0] != pairs[i][1]) wrong = 1;
            _exit(wrong);
        }
        release_all();
        int status;
        waitpid(child, &status, 0);
        if (status != 0) {
            printf("fork %d: status %d\n", round, status);
            wrong = 1;
        }
    }
    over = 1;
    for (int i = 0; i < threads; i++) pthread_join(all[i], NULL);
    puts(wrong ? "does not add up" : "adds up");
    return wrong;
}

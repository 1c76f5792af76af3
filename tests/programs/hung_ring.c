// Hangs on purpose: `hung_ring MODE THREADS`. The threads stand in a ring; each holds an object of its own and waits for the next one's.
//
//   mutex, robust, inheriting, recursive, checked
//                               mutexes of that kind
//   timed                       mutexes, with a deadline in an hour: this ring opens by itself
//   rwlock                      reader-writer locks, held and wanted by writers
//   reader                      reader-writer locks, held by readers and wanted by writers
//   semaphore                   semaphores as locks: each thread has taken and given back its own before
//   signal                      semaphores as notifications: other threads post them. Nobody holds any, and the threads wait for work
//   condition                   all threads wait for a condition that nobody signals
//   barrier                     all threads wait at a barrier for one more thread
//   join                        each thread waits for the end of the next one, and the last one for a mutex that the first one holds
//   chain                       all threads wait for a mutex that the main thread holds, and the main thread reads standard input
//
// If HANG_UNDER names a lock, the program hangs only under `locktoll try` with that lock, and writes its process id into the file
// that HANG_FILE names. Otherwise it uses a mutex and ends.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#define MOST 256

static const char *mode;
static int threads;
static pthread_t all[MOST];
static pthread_mutex_t mutexes[MOST];
static pthread_rwlock_t rwlocks[MOST];
static sem_t semaphores[MOST];
static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t all_hold;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t one_more;

static int is(const char *name) { return strcmp(mode, name) == 0; }

__attribute__((noinline)) static void take_own(int own) {
    if (is("rwlock")) {
        pthread_rwlock_wrlock(&rwlocks[own]);
    } else if (is("reader")) {
        pthread_rwlock_rdlock(&rwlocks[own]);
    } else if (is("semaphore")) {
        sem_wait(&semaphores[own]);
        sem_post(&semaphores[own]);
        sem_wait(&semaphores[own]);
    } else if (is("signal")) {
        // The one before posts it.
        sem_post(&semaphores[(own + 1) % threads]);
        pthread_barrier_wait(&all_hold);
        sem_wait(&semaphores[own]);
    } else {
        pthread_mutex_lock(&mutexes[own]);
    }
}

__attribute__((noinline)) static void take_next(int next) {
    if (is("rwlock") || is("reader")) {
        pthread_rwlock_wrlock(&rwlocks[next]);
    } else if (is("semaphore") || is("signal")) {
        sem_wait(&semaphores[next]);
    } else if (is("timed")) {
        struct timespec deadline;
        clock_gettime(CLOCK_REALTIME, &deadline);
        deadline.tv_sec += 3600;
        pthread_mutex_timedlock(&mutexes[next], &deadline);
    } else {
        pthread_mutex_lock(&mutexes[next]);
    }
    __asm__ volatile("" ::: "memory");
}

static void *ring(void *argument) {
    int own = (int)(long)argument;
    take_own(own);
    pthread_barrier_wait(&all_hold);
    take_next((own + 1) % threads);
    return NULL;
}

static void *waits_for_a_condition(void *argument) {
    (void)argument;
    pthread_mutex_lock(&held);
    pthread_cond_wait(&ready, &held);
    return NULL;
}

static void *waits_at_a_barrier(void *argument) {
    (void)argument;
    pthread_barrier_wait(&one_more);
    return NULL;
}

static void *needs_what_its_joiner_holds(void *argument) {
    (void)argument;
    pthread_mutex_lock(&held);
    return NULL;
}

static void *joins(void *argument) {
    int own = (int)(long)argument;
    if (own == 0) {
        pthread_mutex_lock(&held);
    }
    pthread_barrier_wait(&all_hold);
    if (own == threads - 1) {
        return needs_what_its_joiner_holds(NULL);
    }
    pthread_join(all[own + 1], NULL);
    return NULL;
}

static void prepare(void) {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    if (is("robust")) {
        pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
    }
    if (is("inheriting")) {
        pthread_mutexattr_setprotocol(&kind, PTHREAD_PRIO_INHERIT);
    }
    if (is("recursive")) {
        pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    }
    if (is("checked")) {
        pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    }
    for (int at = 0; at < threads; at++) {
        pthread_mutex_init(&mutexes[at], &kind);
        pthread_rwlock_init(&rwlocks[at], NULL);
        sem_init(&semaphores[at], 0, is("signal") ? 0 : 1);
    }
    pthread_barrier_init(&all_hold, NULL, threads);
    pthread_barrier_init(&one_more, NULL, threads + 1);
}

/* Returns whether the program is to hang in this run. */
static int hangs(void) {
    const char *wanted = getenv("HANG_UNDER"), *now = getenv("LOCKTOLL_LOCK");
    // A lock may have its parameter behind its name.
    if (!wanted || (now && strncmp(wanted, now, strlen(wanted)) == 0)) {
        return 1;
    }
    pthread_mutex_lock(&held);
    pthread_mutex_unlock(&held);
    return 0;
}

static void say_ready(void) {
    const char *name = getenv("HANG_FILE");
    FILE *file = name ? fopen(name, "w") : stdout;
    fprintf(file, "ready %d\n", getpid());
    fflush(file);
    if (name) {
        // Nobody types anything. The end of the program that started it ends it.
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        pause();
    }
}

int main(int count, char **words) {
    if (count != 3) {
        return 2;
    }
    if (!hangs()) {
        return 0;
    }
    mode = words[1];
    threads = atoi(words[2]);
    if (threads < 1 || threads > MOST) {
        return 2;
    }
    prepare();
    if (is("chain")) {
        pthread_mutex_lock(&held);
    }
    // The last one first: a thread that joins the next one needs its id.
    for (int at = threads - 1; at >= 0; at--) {
        void *(*begin)(void *) = is("join")        ? joins
                                 : is("chain")     ? needs_what_its_joiner_holds
                                 : is("condition") ? waits_for_a_condition
                                 : is("barrier")   ? waits_at_a_barrier
                                                   : ring;
        if (pthread_create(&all[at], NULL, begin, (void *)(long)at)) {
            return 1;
        }
    }
    say_ready();
    // Until the test ends it.
    char byte;
    while (read(0, &byte, 1) < 0 && errno == EINTR) {
    }
    _exit(0);
}

// Forks while reader-writer locks and a spin lock are held: what the forking thread holds it can release in the child, and
// what another thread holds stays held. Prints what is not as it should be.
//
// With an argument also while other threads wait for the locks, and with the child of a writer releasing what its parent acquired.
// The C library's own locks are not made for that: the child's release hands the lock to a thread that is not there, and
// the writer is known by a number that has changed.
#include "show.h"
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXPECT(call, expected)                                              \
    do {                                                                    \
        int result_ = (call);                                               \
        if (result_ != (expected)) printf("%d: %s: %d\n", depth, #call, result_); \
    } while (0)

static int depth, with_waiters;

static pthread_rwlock_t read_by_us = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t read_with_a_queue = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static pthread_rwlock_t written_by_us = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t read_by_another = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t never_used = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spun_for;

static void *read_it(void *lock) {
    pthread_rwlock_rdlock(lock);
    pthread_rwlock_unlock(lock);
    return NULL;
}

static void *write_it(void *lock) {
    pthread_rwlock_wrlock(lock);
    pthread_rwlock_unlock(lock);
    return NULL;
}

static void *keep_reading(void *until) {
    pthread_rwlock_rdlock(&read_by_another);
    pthread_barrier_wait(until);
    pthread_barrier_wait(until);
    pthread_rwlock_unlock(&read_by_another);
    return NULL;
}

static void *spin_for_it(void *unused) {
    pthread_spin_lock(&spun_for);
    pthread_spin_unlock(&spun_for);
    return unused;
}

static void *use_all(void *unused) {
    struct timespec soon = in_ms(CLOCK_REALTIME, 10);
    EXPECT(pthread_rwlock_wrlock(&read_by_us), 0);
    EXPECT(pthread_rwlock_tryrdlock(&read_by_us), EBUSY);
    EXPECT(pthread_rwlock_unlock(&read_by_us), 0);
    EXPECT(pthread_rwlock_rdlock(&read_with_a_queue), 0);
    EXPECT(pthread_rwlock_unlock(&read_with_a_queue), 0);
    EXPECT(pthread_rwlock_wrlock(&read_with_a_queue), 0);
    EXPECT(pthread_rwlock_unlock(&read_with_a_queue), 0);
    EXPECT(pthread_rwlock_rdlock(&written_by_us), 0);
    EXPECT(pthread_rwlock_unlock(&written_by_us), 0);
    EXPECT(pthread_rwlock_tryrdlock(&read_by_another), 0);
    EXPECT(pthread_rwlock_unlock(&read_by_another), 0);
    // In a child its reader is not there to leave: it stays read.
    if (depth > 0) EXPECT(pthread_rwlock_timedwrlock(&read_by_another, &soon), ETIMEDOUT);
    EXPECT(pthread_rwlock_wrlock(&never_used), 0);
    EXPECT(pthread_rwlock_unlock(&never_used), 0);
    EXPECT(pthread_spin_lock(&spun_for), 0);
    EXPECT(pthread_spin_trylock(&spun_for), EBUSY);
    EXPECT(pthread_spin_unlock(&spun_for), 0);
    return unused;
}

static void in_the_child(void) {
    pthread_t thread;
    EXPECT(pthread_rwlock_trywrlock(&read_by_us), EBUSY);
    EXPECT(pthread_rwlock_tryrdlock(&read_by_us), 0);
    EXPECT(pthread_rwlock_unlock(&read_by_us), 0);
    EXPECT(pthread_rwlock_unlock(&read_by_us), 0);
    EXPECT(pthread_rwlock_unlock(&read_with_a_queue), 0);
    EXPECT(pthread_rwlock_tryrdlock(&written_by_us), EBUSY);
    if (with_waiters) {
        EXPECT(pthread_rwlock_wrlock(&written_by_us), EDEADLK);
        EXPECT(pthread_rwlock_unlock(&written_by_us), 0);
    } else {
        pthread_rwlock_init(&written_by_us, NULL);
    }
    EXPECT(pthread_spin_trylock(&spun_for), EBUSY);
    EXPECT(pthread_spin_unlock(&spun_for), 0);
    pthread_create(&thread, NULL, use_all, NULL);
    pthread_join(thread, NULL);
    use_all(NULL);
}

// What another thread wrote to stays so in the child, also for a new thread that has its place in memory.
static pthread_rwlock_t written_by_another = PTHREAD_RWLOCK_INITIALIZER;

static void *keep_writing(void *until) {
    pthread_rwlock_wrlock(&written_by_another);
    pthread_barrier_wait(until);
    pthread_barrier_wait(until);
    pthread_rwlock_unlock(&written_by_another);
    return NULL;
}

static void *ask_for_it(void *unused) {
    struct timespec soon = in_ms(CLOCK_REALTIME, 10);
    EXPECT(pthread_rwlock_timedrdlock(&written_by_another, &soon), ETIMEDOUT);
    EXPECT(pthread_rwlock_timedwrlock(&written_by_another, &soon), ETIMEDOUT);
    return unused;
}

static void ask_in_the_child(void) {
    pthread_t threads[4];
    ask_for_it(NULL);
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, ask_for_it, NULL);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
}

static int family(void (*what)(void)) {
    fflush(stdout);
    pid_t child = fork();
    int status = 0;
    if (child == 0) {
        // The child of the child finds what the child has not used as their forebear left it.
        depth = 1;
        pid_t second = fork();
        if (second == 0) {
            depth = 2;
            what();
            fflush(stdout);
            _exit(0);
        }
        waitpid(second, &status, 0);
        what();
        fflush(stdout);
        _exit(status);
    }
    waitpid(child, &status, 0);
    return status;
}

int main(int argc, char **argv) {
    enum { WAITING = 6 };
    pthread_t threads[WAITING], reader, writer;
    pthread_barrier_t kept;
    (void)argv;
    with_waiters = argc > 1;
    pthread_barrier_init(&kept, NULL, 3);
    pthread_spin_init(&spun_for, PTHREAD_PROCESS_PRIVATE);
    pthread_rwlock_rdlock(&read_by_us);
    pthread_rwlock_rdlock(&read_with_a_queue);
    pthread_rwlock_wrlock(&written_by_us);
    pthread_spin_lock(&spun_for);
    pthread_create(&reader, NULL, keep_reading, &kept);
    pthread_create(&writer, NULL, keep_writing, &kept);
    pthread_barrier_wait(&kept);
    if (with_waiters) {
        pthread_create(&threads[0], NULL, write_it, &read_by_us);
        pthread_create(&threads[1], NULL, write_it, &read_with_a_queue);
        pthread_create(&threads[2], NULL, read_it, &written_by_us);
        pthread_create(&threads[3], NULL, write_it, &written_by_us);
        pthread_create(&threads[4], NULL, spin_for_it, NULL);
        sleep_ms(30);
        pthread_create(&threads[5], NULL, read_it, &read_with_a_queue);
        sleep_ms(30);
    }
    if (family(in_the_child) != 0) puts("a child has failed");
    if (family(ask_in_the_child) != 0) puts("a child has failed");
    EXPECT(pthread_rwlock_unlock(&read_by_us), 0);
    EXPECT(pthread_rwlock_unlock(&read_with_a_queue), 0);
    EXPECT(pthread_rwlock_unlock(&written_by_us), 0);
    EXPECT(pthread_spin_unlock(&spun_for), 0);
    pthread_barrier_wait(&kept);
    for (int i = 0; with_waiters && i < WAITING; i++) pthread_join(threads[i], NULL);
    pthread_join(reader, NULL);
    pthread_join(writer, NULL);
    use_all(NULL);
    puts("done");
    return 0;
}

// Calls every function on reader-writer locks of every kind where POSIX or the GNU C library says what it returns.
#include "show.h"
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static struct timespec nonsense = {0, -1}, past = {1, 0};

static void *while_written(void *argument) {
    pthread_rwlock_t *lock = argument;
    struct timespec real = in_ms(CLOCK_REALTIME, 3), monotonic = in_ms(CLOCK_MONOTONIC, 3);
    SHOW(pthread_rwlock_tryrdlock(lock));
    SHOW(pthread_rwlock_trywrlock(lock));
    SHOW(pthread_rwlock_timedrdlock(lock, &real));
    SHOW(pthread_rwlock_timedwrlock(lock, &real));
    SHOW(pthread_rwlock_timedrdlock(lock, &past));
    SHOW(pthread_rwlock_timedwrlock(lock, &nonsense));
    SHOW(pthread_rwlock_timedrdlock(lock, &nonsense));
    SHOW(pthread_rwlock_clockrdlock(lock, CLOCK_MONOTONIC, &monotonic));
    SHOW(pthread_rwlock_clockwrlock(lock, CLOCK_MONOTONIC, &monotonic));
    SHOW(pthread_rwlock_clockrdlock(lock, CLOCK_REALTIME, &real));
    SHOW(pthread_rwlock_clockwrlock(lock, CLOCK_PROCESS_CPUTIME_ID, &real));
    SHOW(pthread_rwlock_clockrdlock(lock, 12345, &real));
    return NULL;
}

static void *while_read(void *argument) {
    pthread_rwlock_t *lock = argument;
    struct timespec real = in_ms(CLOCK_REALTIME, 3);
    SHOW(pthread_rwlock_tryrdlock(lock));
    SHOW(pthread_rwlock_unlock(lock));
    SHOW(pthread_rwlock_timedrdlock(lock, &real));
    SHOW(pthread_rwlock_unlock(lock));
    SHOW(pthread_rwlock_trywrlock(lock));
    SHOW(pthread_rwlock_timedwrlock(lock, &real));
    SHOW(pthread_rwlock_clockwrlock(lock, CLOCK_REALTIME, &past));
    return NULL;
}

static void in_a_thread(void *(*what)(void *), pthread_rwlock_t *lock) {
    pthread_t thread;
    pthread_create(&thread, NULL, what, lock);
    pthread_join(thread, NULL);
}

static void of_kind(const char *name, int kind, int shared) {
    static pthread_rwlock_t lock;
    pthread_rwlockattr_t attributes;
    pthread_rwlockattr_init(&attributes);
    pthread_rwlockattr_setkind_np(&attributes, kind);
    pthread_rwlockattr_setpshared(&attributes, shared);
    printf("-- %s\n", name);
    SHOW(pthread_rwlock_init(&lock, &attributes));
    pthread_rwlockattr_destroy(&attributes);

    // A deadline or clock that makes no sense is refused or not before the lock is looked at: as the C library has it.
    struct timespec soon = in_ms(CLOCK_MONOTONIC, 3);
    int refused = pthread_rwlock_timedrdlock(&lock, &nonsense);
    printf("free, nonsense deadline, reading: %d\n", refused);
    if (refused == 0) SHOW(pthread_rwlock_unlock(&lock));
    refused = pthread_rwlock_timedwrlock(&lock, &nonsense);
    printf("free, nonsense deadline, writing: %d\n", refused);
    if (refused == 0) SHOW(pthread_rwlock_unlock(&lock));
    refused = pthread_rwlock_clockrdlock(&lock, CLOCK_THREAD_CPUTIME_ID, &soon);
    printf("free, nonsense clock, reading: %d\n", refused);
    if (refused == 0) SHOW(pthread_rwlock_unlock(&lock));
    refused = pthread_rwlock_clockwrlock(&lock, 12345, &soon);
    printf("free, nonsense clock, writing: %d\n", refused);
    if (refused == 0) SHOW(pthread_rwlock_unlock(&lock));

    SHOW(pthread_rwlock_wrlock(&lock));
    SHOW(pthread_rwlock_wrlock(&lock));
    SHOW(pthread_rwlock_rdlock(&lock));
    SHOW(pthread_rwlock_trywrlock(&lock));
    SHOW(pthread_rwlock_tryrdlock(&lock));
    SHOW(pthread_rwlock_timedwrlock(&lock, &soon));
    SHOW(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &soon));
    in_a_thread(while_written, &lock);
    SHOW(pthread_rwlock_unlock(&lock));

    SHOW(pthread_rwlock_rdlock(&lock));
    SHOW(pthread_rwlock_rdlock(&lock));
    SHOW(pthread_rwlock_trywrlock(&lock));
    in_a_thread(while_read, &lock);
    SHOW(pthread_rwlock_unlock(&lock));
    SHOW(pthread_rwlock_unlock(&lock));
    SHOW(pthread_rwlock_trywrlock(&lock));
    SHOW(pthread_rwlock_unlock(&lock));
    soon = in_ms(CLOCK_MONOTONIC, 1000);
    SHOW(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &soon));
    SHOW(pthread_rwlock_unlock(&lock));
    SHOW(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &past));
    SHOW(pthread_rwlock_unlock(&lock));
    SHOW(pthread_rwlock_destroy(&lock));
}

static void *write_once(void *lock) {
    pthread_rwlock_wrlock(lock);
    pthread_rwlock_unlock(lock);
    return NULL;
}

// A new reader does not pass a writer that waits, however it asks.
static void *read_until_refused(void *lock) {
    int result;
    while ((result = pthread_rwlock_tryrdlock(lock)) == 0) {
        pthread_rwlock_unlock(lock);
        sleep_ms(1);
    }
    struct timespec soon = in_ms(CLOCK_REALTIME, 3);
    printf("refused with %d\n", result);
    SHOW(pthread_rwlock_timedrdlock(lock, &soon));
    return NULL;
}

static void a_writer_waits(void) {
    static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
    pthread_t writer;
    puts("-- a preferred writer waits");
    pthread_rwlock_rdlock(&lock);
    pthread_create(&writer, NULL, write_once, &lock);
    in_a_thread(read_until_refused, &lock);
    pthread_rwlock_unlock(&lock);
    pthread_join(writer, NULL);
}

static void between_processes(void) {
    pthread_rwlock_t *lock = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_rwlockattr_t attributes;
    pthread_rwlockattr_init(&attributes);
    pthread_rwlockattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_rwlock_init(lock, &attributes);
    puts("-- held by another process");
    SHOW(pthread_rwlock_wrlock(lock));
    fflush(stdout);
    int tried[2];
    if (pipe(tried) != 0) return;
    pid_t child = fork();
    if (child == 0) {
        SHOW(pthread_rwlock_tryrdlock(lock));
        if (write(tried[1], "", 1) != 1) _exit(1);
        struct timespec far = in_ms(CLOCK_REALTIME, 60000);
        SHOW(pthread_rwlock_timedrdlock(lock, &far));
        SHOW(pthread_rwlock_unlock(lock));
        fflush(stdout);
        _exit(0);
    }
    char byte;
    if (read(tried[0], &byte, 1) != 1) return;
    sleep_ms(5);
    SHOW(pthread_rwlock_unlock(lock));
    waitpid(child, NULL, 0);
}

int main(void) {
    of_kind("readers preferred", PTHREAD_RWLOCK_PREFER_READER_NP, PTHREAD_PROCESS_PRIVATE);
    of_kind("writers preferred", PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP, PTHREAD_PROCESS_PRIVATE);
    of_kind("process-shared", PTHREAD_RWLOCK_PREFER_READER_NP, PTHREAD_PROCESS_SHARED);
    a_writer_waits();
    between_processes();
    return 0;
}

// mutex_sandboxed THREADS: while threads contend for a mutex, a filter of system calls comes into force for all of them
// (seccomp(2)). It refuses what a lock may use and the C library's own does without: membarrier, looking at processors, opening
// files. The threads go on, new ones come, and a forked child goes on as well. Succeeds if no count is lost and nothing hangs.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 8000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, late = PTHREAD_MUTEX_INITIALIZER;
static volatile long count, counted_late;
static long rounds;

static void *work(void *unused) {
    for (long round = 0; round < rounds; round++) {
        pthread_mutex_lock(&mutex);
        count++;
        if (round % 64 == 0) sched_yield();
        pthread_mutex_unlock(&mutex);
        // First used when the filter is there, or about to come.
        if (round * 2 < rounds) continue;
        pthread_mutex_lock(&late);
        counted_late++;
        pthread_mutex_unlock(&late);
    }
    return unused;
}

static void start(pthread_t *ids, long threads) {
    for (long i = 0; i < threads; i++) pthread_create(&ids[i], NULL, work, NULL);
}

// Whether all of them have counted `times` times as far as one start of them should.
static int add_up(pthread_t *ids, long threads, long times) {
    for (long i = 0; i < threads; i++) pthread_join(ids[i], NULL);
    long right = times * threads * rounds, right_late = right / 2;
    if (count == right && counted_late == right_late) return 1;
    printf("%ld and %ld instead of %ld and %ld\n", count, counted_late, right, right_late);
    fflush(stdout);
    return 0;
}

static int refuse(void) {
#define REFUSED(name) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        REFUSED(membarrier),
        REFUSED(sched_getaffinity),
        REFUSED(openat),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return 0;
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

int main(int argc, char **argv) {
    long threads = argc > 1 ? atol(argv[1]) : 8;
    pthread_t ids[256];
    if (threads < 1 || threads > 256) return 2;
    // Even, so that half of it is a number.
    rounds = ROUNDS / threads / 2 * 2;
    start(ids, threads);
    if (!refuse() || syscall(SYS_membarrier, 0, 0, 0) != -1 || errno != EPERM) {
        perror("a filter");
        return 1;
    }
    if (!add_up(ids, threads, 1)) return 1;
    start(ids, threads);
    if (!add_up(ids, threads, 2)) return 1;
    pid_t child = fork();
    if (child == 0) {
        start(ids, threads);
        _exit(!add_up(ids, threads, 3));
    }
    int status;
    return waitpid(child, &status, 0) != child || status != 0;
}

// Takes its own surroundings away, in the way named by the argument, and goes on with locks and threads:
//
//   descriptors   closes all of them, and looks which numbers come back
//   no-more-files may open no more
//   chroot        an empty folder is all there is
//   user          becomes nobody for good, and forks
//   seccomp-errno what is not on a short list fails
//   seccomp-kill  what is not on a short list kills
//   seccomp-call, seccomp-prctl  the same, said by calls by number
//   seccomp-midway  the same for all threads, while one holds a lock that it has often held long, and another waits for it
//   cpu           may run on one processor only
//   environment   has none any more, nor LD_PRELOAD, and starts itself again
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t many[2000];
static long shared;

static void *work(void *unused) {
    for (int i = 0; i < 2000; i++) {
        pthread_mutex_lock(&mutex);
        shared++;
        pthread_mutex_unlock(&mutex);
        pthread_mutex_lock(&many[i]);
        pthread_mutex_unlock(&many[i]);
    }
    return unused;
}

// Four threads, 16,000 acquisitions, some of them waited for, on locks never seen before.
static void go_on(void) {
    pthread_t threads[4];
    shared = 0;
    for (int i = 0; i < 4; i++)
        if (pthread_create(&threads[i], NULL, work, NULL) != 0) _exit(90);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    char line[64];
    int length = snprintf(line, sizeof line, "shared %ld\n", shared);
    if (write(1, line, (size_t)length) != length) _exit(91);
}

static void say(const char *what, long value) {
    char line[128];
    int length = snprintf(line, sizeof line, "%s %ld\n", what, value);
    if (write(1, line, (size_t)length) != length) _exit(91);
}

static void descriptors(void) {
    // What is open before, and the number that comes next, must not tell of anybody else.
    say("next descriptor", dup(0));
    DIR *folder = opendir("/proc/self/fd");
    long open_ones = 0;
    while (readdir(folder) != NULL) open_ones++;
    closedir(folder);
    say("open descriptors", open_ones);
    go_on();
    say("next descriptor", dup(0));
    int output = dup(1);
    for (int i = 0; i < 1024; i++)
        if (i != output) close(i);
    int first = open("/dev/null", O_RDWR);
    dup2(output, 1);
    close(output);
    say("first", first);
    say("next free", open("/dev/null", O_RDWR));
    go_on();
    say("next free", open("/dev/null", O_RDWR));
}

static void no_more_files(void) {
    struct rlimit none = {0, 0};
    say("setrlimit", setrlimit(RLIMIT_NOFILE, &none));
    say("dup", dup(0));
    go_on();
}

static void another_root(void) {
    char folder[] = "/tmp/surroundings-XXXXXX";
    if (mkdtemp(folder) == NULL) return;
    int old = open("/", O_RDONLY);
    int changed = chroot(folder) == 0 && chdir("/") == 0;
    go_on();
    pid_t child = fork();
    if (child == 0) {
        go_on();
        _exit(5);
    }
    int status;
    waitpid(child, &status, 0);
    say("child", WEXITSTATUS(status));
    if (changed && fchdir(old) == 0 && chroot(".") == 0) rmdir(folder);
    if (!changed) rmdir(folder);
}

static void another_user(void) {
    say("setresgid", setresgid(65534, 65534, 65534) == 0 || errno == EPERM);
    say("setresuid", setresuid(65534, 65534, 65534) == 0 || errno == EPERM);
    go_on();
    pid_t child = fork();
    if (child == 0) {
        go_on();
        _exit(5);
    }
    int status;
    waitpid(child, &status, 0);
    say("child", WEXITSTATUS(status));
}

#define ALLOW(number)                                        \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1),     \
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

// What a program with threads and locks needs of the kernel itself, and nothing else.
static void filtered(unsigned otherwise, long by, unsigned flags) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        ALLOW(SYS_write), ALLOW(SYS_futex), ALLOW(SYS_exit), ALLOW(SYS_exit_group), ALLOW(SYS_mmap), ALLOW(SYS_munmap),
        ALLOW(SYS_mprotect), ALLOW(SYS_brk), ALLOW(SYS_clone), ALLOW(SYS_clone3), ALLOW(SYS_set_robust_list),
        ALLOW(SYS_rseq), ALLOW(SYS_madvise), ALLOW(SYS_rt_sigprocmask), ALLOW(SYS_rt_sigreturn), ALLOW(SYS_newfstatat),
        BPF_STMT(BPF_RET | BPF_K, otherwise),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    say("no_new_privs", prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    long result = by == SYS_seccomp ? syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program)
                : by == SYS_prctl   ? syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0)
                                    : prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
    say("seccomp", result);
}

static void *wait_for_it(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void filtered_midway(void) {
    pthread_t waiter;
    for (int i = 0; i < 30; i++) {
        pthread_mutex_lock(&mutex);
        usleep(1000);
        if (i < 29) pthread_mutex_unlock(&mutex);
    }
    if (pthread_create(&waiter, NULL, wait_for_it, NULL) != 0) _exit(90);
    usleep(100000);
    filtered(SECCOMP_RET_KILL_PROCESS, SYS_seccomp, SECCOMP_FILTER_FLAG_TSYNC);
    pthread_mutex_unlock(&mutex);
    pthread_join(waiter, NULL);
}

static void one_processor(void) {
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
    say("processors", CPU_COUNT(&set));
    CPU_ZERO(&set);
    CPU_SET(sched_getcpu(), &set);
    say("sched_setaffinity", sched_setaffinity(0, sizeof set, &set));
    go_on();
}

static void environment(char **argv) {
    clearenv();
    go_on();
    pid_t child = fork();
    if (child == 0) {
        execl("/proc/self/exe", argv[0], "leaf", NULL);
        _exit(127);
    }
    int status;
    waitpid(child, &status, 0);
    say("child", WEXITSTATUS(status));
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "leaf";
    go_on();
    if (strcmp(way, "descriptors") == 0) descriptors();
    if (strcmp(way, "no-more-files") == 0) no_more_files();
    if (strcmp(way, "chroot") == 0) another_root();
    if (strcmp(way, "user") == 0) another_user();
    if (strcmp(way, "seccomp-errno") == 0) filtered(SECCOMP_RET_ERRNO | EPERM, 0, 0);
    if (strcmp(way, "seccomp-kill") == 0) filtered(SECCOMP_RET_KILL_PROCESS, 0, 0);
    if (strcmp(way, "seccomp-call") == 0) filtered(SECCOMP_RET_KILL_PROCESS, SYS_seccomp, 0);
    if (strcmp(way, "seccomp-prctl") == 0) filtered(SECCOMP_RET_KILL_PROCESS, SYS_prctl, 0);
    if (strcmp(way, "seccomp-midway") == 0) filtered_midway();
    if (strncmp(way, "seccomp-", 8) == 0) {
        go_on();
        go_on();
    }
    if (strcmp(way, "cpu") == 0) one_processor();
    if (strcmp(way, "environment") == 0) environment(argv);
    return 7;
}

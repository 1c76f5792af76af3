// Starts others in every way there is, while a second thread takes locks, and prints what came of it. `leaf` is what
// the started do: takes a mutex 5 times in 2 threads.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, busy = PTHREAD_MUTEX_INITIALIZER;
static volatile int done;
static char self[4096];

static void *acquire(void *unused) {
    for (int i = 0; i < 5; i++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static int leaf(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, acquire, NULL);
    acquire(NULL);
    pthread_join(thread, NULL);
    return 4;
}

static void *keep_busy(void *unused) {
    while (!done) {
        pthread_mutex_lock(&busy);
        pthread_mutex_unlock(&busy);
    }
    return unused;
}

static void report(const char *way, pid_t child) {
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
        printf("%s: error\n", way);
        return;
    }
    printf("%s: %s %d\n", way, WIFEXITED(status) ? "exit" : "signal",
           WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
}

static void before_fork(void) {
    pthread_mutex_lock(&mutex);
    puts("before fork");
    fflush(stdout);
}
static void after_fork(void) { pthread_mutex_unlock(&mutex); }

static int cloned(void *unused) {
    (void)unused;
    acquire(NULL);
    return 6;
}

int main(int argc, char **argv) {
    char *again[] = {argv[0], "leaf", NULL}, *nothing[] = {NULL};
    if (argc > 1 && strcmp(argv[1], "leaf") == 0) return leaf();
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 6);
    if (length < 0) return 1;
    pthread_t other;
    pthread_create(&other, NULL, keep_busy, NULL);
    pthread_atfork(before_fork, after_fork, after_fork);

    pid_t child = fork();
    if (child == 0) exit(leaf());
    report("fork with handlers", child);

    child = fork();
    if (child == 0) {
        pid_t grandchild = fork();
        if (grandchild == 0) _exit(leaf());
        report("a child's child", grandchild);
        fflush(stdout);
        _exit(leaf());
    }
    report("fork", child);

    child = vfork();
    if (child == 0) {
        execv(self, again);
        _exit(127);
    }
    report("vfork and exec", child);
    child = vfork();
    if (child == 0) _exit(9);
    report("vfork and _exit", child);
    child = vfork();
    if (child == 0) {
        execv("/nowhere/to/be/found", again);
        _exit(errno == ENOENT ? 10 : 11);
    }
    report("vfork and exec of nothing", child);

    child = -1;
    posix_spawn(&child, self, NULL, NULL, again, environ);
    report("posix_spawn", child);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addclose(&actions, 0);
    posix_spawn_file_actions_addopen(&actions, 5, "/dev/null", 0, 0);
    child = -1;
    printf("posix_spawnp says %d\n", posix_spawnp(&child, "nowhere-to-be-found", &actions, NULL, again, environ));
    child = -1;
    posix_spawn(&child, self, &actions, NULL, again, environ);
    report("posix_spawn with actions", child);
    child = -1;
    posix_spawn(&child, self, NULL, NULL, again, nothing);
    report("posix_spawn without an environment", child);

    child = fork();
    if (child == 0) {
        execve(self, again, nothing);
        _exit(127);
    }
    report("exec without an environment", child);

    char command[4200];
    snprintf(command, sizeof command, "'%s' leaf; exit $(($? + 20))", self);
    fflush(stdout);
    int status = system(command);
    printf("system: %d\n", WEXITSTATUS(status));
    FILE *pipe = popen("echo through a pipe; exit 3", "r");
    char line[64] = "";
    if (pipe == NULL || fgets(line, sizeof line, pipe) == NULL) puts("no pipe");
    printf("popen: %s", line);
    printf("pclose: %d\n", WEXITSTATUS(pclose(pipe)));

    size_t stack_bytes = 256 << 10;
    char *stack = malloc(stack_bytes);
    child = clone(cloned, stack + stack_bytes, SIGCHLD, NULL);
    report("clone", child);
    child = clone(cloned, stack + stack_bytes, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);
    report("clone in the same memory", child);

    done = 1;
    pthread_join(other, NULL);
    return leaf();
}

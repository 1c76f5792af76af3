// Forks processes whose threads wait for a lock: for each line, a number, as many as that, one after the other, and then says "done". Each
// child holds `forks_lock` until its WAITERS threads have begun to ask for it, and for 2 ms after that. Every third child is then killed;
// the others exit. Every fourth begins the program again first (exec), which does the same and exits.
//
// Answer for each child, and for each that begins again once more: WAITERS + 1 acquisitions, of which WAITERS wait for 2 ms or more. At the
// end of its input, it says how long the threads of the children waited, and how long they lived, both in nanoseconds and added up.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WAITERS = 8 };

static pthread_mutex_t forks_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int begun;

// Shared by all processes.
struct sums {
    atomic_llong waited_ns, lived_ns;
};
static struct sums *sums;

static long long now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void *waiter(void *unused) {
    long long begin_ns = now_ns();
    atomic_fetch_add(&begun, 1);
    pthread_mutex_lock(&forks_lock);
    atomic_fetch_add(&sums->waited_ns, now_ns() - begin_ns);
    pthread_mutex_unlock(&forks_lock);
    atomic_fetch_add(&sums->lived_ns, now_ns() - begin_ns);
    return unused;
}

static void work(long long begin_ns) {
    pthread_t threads[WAITERS];
    pthread_mutex_lock(&forks_lock);
    for (int i = 0; i < WAITERS; i++) pthread_create(&threads[i], NULL, waiter, NULL);
    while (atomic_load(&begun) < WAITERS) usleep(100);
    usleep(2000);
    pthread_mutex_unlock(&forks_lock);
    for (int i = 0; i < WAITERS; i++) pthread_join(threads[i], NULL);
    atomic_fetch_add(&sums->lived_ns, now_ns() - begin_ns);
}

static void child(const char *program, int file, int number) {
    pid_t pid = fork();
    if (!pid) {
        work(now_ns());
        if (number % 4 == 0) {
            char of_file[16], since[32];
            snprintf(of_file, sizeof of_file, "%d", file);
            snprintf(since, sizeof since, "%lld", now_ns());
            execl(program, program, of_file, since, NULL);
        }
        if (number % 3 == 0) kill(getpid(), SIGKILL);
        exit(0);
    }
    waitpid(pid, NULL, 0);
}

int main(int arguments, char **argument) {
    int children, is_again = arguments == 3;
    int file = is_again ? atoi(argument[1]) : memfd_create("sums", 0);
    if (!is_again && ftruncate(file, sizeof *sums)) return 1;
    sums = mmap(NULL, sizeof *sums, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (sums == MAP_FAILED) return 1;
    if (is_again) {
        work(atoll(argument[2]));
        return 0;
    }
    pthread_mutex_lock(&forks_lock);
    pthread_mutex_unlock(&forks_lock);
    puts("ready");
    fflush(stdout);
    while (scanf("%d", &children) == 1) {
        for (int i = 0; i < children; i++) child(argument[0], file, i);
        puts("done");
        fflush(stdout);
    }
    printf("%lld %lld\n", (long long)sums->waited_ns, (long long)sums->lived_ns);
}

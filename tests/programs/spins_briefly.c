// Processes that end after about 10 ms of CPU time, most of which they spend waiting in a loop: each runs this program anew. Prints how
// much CPU time all of them used.
#include "measure.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { CHILDREN = 60, WAIT_NS = 10000000 };

atomic_int flag;

// CPU time, not time: a waiting thread that has no CPU for most of its life would use too little to be sampled.
static void *set(void *unused) {
    while (clock_ns(CLOCK_PROCESS_CPUTIME_ID) < WAIT_NS)
        sleep_ns(500000);
    atomic_store(&flag, 1);
    return unused;
}

static int child(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, set, NULL))
        abort();
    while (!atomic_load_explicit(&flag, memory_order_acquire)) {
    }
    pthread_join(thread, NULL);
    return 0;
}

int main(int count, char **arguments) {
    if (count > 1)
        return child();
    for (int i = 0; i < CHILDREN; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            execl("/proc/self/exe", arguments[0], "child", (char *)NULL);
            _exit(1);
        }
        if (pid < 0 || waitpid(pid, NULL, 0) != pid)
            abort();
    }
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    long long ns = (usage.ru_utime.tv_sec * 1000000LL + usage.ru_utime.tv_usec) * 1000;
    printf("spun_ns %lld\n", ns);
    printf("cpu_ns %lld\n", ns + clock_ns(CLOCK_PROCESS_CPUTIME_ID));
    return 0;
}

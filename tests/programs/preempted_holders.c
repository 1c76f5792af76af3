// Holders that lose their processor, as the program itself finds out.
//
//   gaps MS   4 threads take `contested` in turn and look at the clock all the while they hold it, beside 2 threads that only
//             compute, one on each of two processors. Where the clock jumps, the holder did not run; whether the kernel counts a
//             context switch more then says why. Answers:
//               preempted COUNT NS   jumps with a context switch
//               stolen COUNT NS      jumps without one
//               held NS              all holds
//               meanwhile NS         waiting of the other threads during jumps with a switch
//               waited NS            all waiting
//   forked MS the same in a child that is forked off, without another program.
//   yields N  1 thread takes `polite` and yields N times, on one processor with another that does the same without the lock.
//               yields N
//               involuntary N        what the kernel calls involuntary of the first thread in its hold
//   alone N   1 thread takes `lonely` N times and nobody else runs here.
//               involuntary N        of the whole process
#include "measure.h"
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { THREADS = 4, HOGS = 2, HOLD_NS = 400000, JUMP_NS = 500000, MOST = 1 << 16 };

static pthread_mutex_t contested = PTHREAD_MUTEX_INITIALIZER, polite = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lonely = PTHREAD_MUTEX_INITIALIZER;
static volatile int over;
static long long until_ns;

struct span {
    long long from_ns, to_ns;
};

// Written by the holder alone.
static struct span jumps[MOST];
static long long jump_count, stolen_count, stolen_ns, held_ns;
static struct span waits[THREADS][MOST];
static long long wait_count[THREADS];

static long involuntary(int whom) {
    struct rusage usage;
    getrusage(whom, &usage);
    return usage.ru_nivcsw;
}

static void pin(int number) {
    cpu_set_t allowed, one;
    sched_getaffinity(0, sizeof allowed, &allowed);
    number %= CPU_COUNT(&allowed);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &allowed) && number-- == 0) {
            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
            sched_setaffinity(0, sizeof one, &one);
            return;
        }
}

static void *compute(void *number) {
    pin((int)(long)number);
    while (!over)
        ;
    return NULL;
}

static void hold(void) {
    long long begin = now_ns(), last = begin, now;
    long switches = involuntary(RUSAGE_THREAD);
    do {
        now = now_ns();
        if (now - last >= JUMP_NS) {
            long found = involuntary(RUSAGE_THREAD);
            if (found == switches) {
                stolen_count++;
                stolen_ns += now - last;
            } else if (jump_count < MOST) {
                jumps[jump_count++] = (struct span){last, now};
            }
            switches = found;
        }
        last = now;
    } while (now - begin < HOLD_NS);
    held_ns += now - begin;
}

static void *contend(void *number) {
    long thread = (long)number;
    while (!over) {
        long long begin = now_ns();
        pthread_mutex_lock(&contested);
        long long end = now_ns();
        if (wait_count[thread] < MOST) waits[thread][wait_count[thread]++] = (struct span){begin, end};
        if (end >= until_ns) over = 1;
        hold();
        pthread_mutex_unlock(&contested);
    }
    return NULL;
}

static int gaps(long ms) {
    pthread_t threads[THREADS], hogs[HOGS];
    until_ns = now_ns() + ms * 1000000LL;
    for (long i = 0; i < HOGS; i++) pthread_create(&hogs[i], NULL, compute, (void *)i);
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, contend, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < HOGS; i++) pthread_join(hogs[i], NULL);
    long long preempted_ns = 0, meanwhile_ns = 0, waited_ns = 0;
    for (long long i = 0; i < jump_count; i++) preempted_ns += jumps[i].to_ns - jumps[i].from_ns;
    for (int thread = 0; thread < THREADS; thread++) {
        long long first = 0;
        for (long long i = 0; i < wait_count[thread]; i++) {
            struct span wait = waits[thread][i];
            waited_ns += wait.to_ns - wait.from_ns;
            while (first < jump_count && jumps[first].to_ns <= wait.from_ns) first++;
            for (long long j = first; j < jump_count && jumps[j].from_ns < wait.to_ns; j++) {
                long long from = jumps[j].from_ns > wait.from_ns ? jumps[j].from_ns : wait.from_ns;
                long long to = jumps[j].to_ns < wait.to_ns ? jumps[j].to_ns : wait.to_ns;
                if (to > from) meanwhile_ns += to - from;
            }
        }
    }
    printf("preempted %lld %lld\nstolen %lld %lld\n", jump_count, preempted_ns, stolen_count, stolen_ns);
    answer("held", held_ns);
    answer("meanwhile", meanwhile_ns);
    answer("waited", waited_ns);
    return 0;
}

static int forked(long ms) {
    int status;
    // The parent has been recorded by then.
    pthread_mutex_lock(&lonely);
    pthread_mutex_unlock(&lonely);
    pid_t child = fork();
    if (child == 0) {
        int result = gaps(ms);
        exit(result);
    }
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static void *yield_along(void *unused) {
    pin(0);
    while (!over) sched_yield();
    return unused;
}

static int yields(long count) {
    pthread_t other;
    pthread_create(&other, NULL, yield_along, NULL);
    pin(0);
    // Both are there.
    sleep_ns(10000000);
    pthread_mutex_lock(&polite);
    long before = involuntary(RUSAGE_THREAD);
    for (long i = 0; i < count; i++) sched_yield();
    long after = involuntary(RUSAGE_THREAD);
    pthread_mutex_unlock(&polite);
    over = 1;
    pthread_join(other, NULL);
    answer("yields", count);
    answer("involuntary", after - before);
    return 0;
}

static int alone(long count) {
    for (long i = 0; i < count; i++) {
        pthread_mutex_lock(&lonely);
        pthread_mutex_unlock(&lonely);
    }
    answer("involuntary", involuntary(RUSAGE_SELF));
    return 0;
}

int main(int count, char **words) {
    if (count != 3) return 2;
    long number = atol(words[2]);
    if (!strcmp(words[1], "gaps")) return gaps(number);
    if (!strcmp(words[1], "forked")) return forked(number);
    if (!strcmp(words[1], "yields")) return yields(number);
    if (!strcmp(words[1], "alone")) return alone(number);
    return 2;
}

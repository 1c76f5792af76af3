// mutex_slice_extension MODE [plain]: plays a kernel that has the time slice extension of rseq(2) (Linux 7.0), and checks what a
// thread does with it when it acquires and releases mutexes. Succeeds if everything is as MODE says:
//
// offered    each thread enables the extension, requests it while it holds mutexes, and gives each grant back once
// enabled    the same with threads for which it has been enabled already
// refused    the kernel offers it and then refuses to enable it
// absent     the kernel does not offer it
// original   areas of the original 32 bytes, whatever they contain
// unused     the kernel offers it, but the lock does not use it
// given-up   the program gives up system calls after a while
//
// With `plain`, mutexes that store their holder are left out: the lock does not replace them.
//
// The program has areas of its own, which it does not register with the real kernel, and defines the C library's two variables
// that say where they are. A filter of system calls turns the two calls of the extension into signals.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum { OFFERED = 1 << 4, ENABLED = 1 << 5, SLICE_PRCTL = 79, SLICE_YIELD = 471, ENOTSUPP = 524, ROUNDS = 2000 };

struct area {
    uint32_t cpu_id_start, cpu_id;
    uint64_t rseq_cs;
    uint32_t flags, node_id, mm_cid;
    volatile uint8_t request, granted;
    uint8_t rest[34];
};

// Not registered: the processor's number is unknown.
__thread struct area area __attribute__((aligned(64))) = {.cpu_id = -1};

__asm__(".pushsection .data, \"aw\", @progbits\n"
        ".balign 8\n"
        ".globl __rseq_offset, __rseq_size\n"
        ".type __rseq_offset, @object\n"
        ".type __rseq_size, @object\n"
        "__rseq_offset: .quad area@tpoff\n"
        "__rseq_size: .long 33\n"
        ".size __rseq_offset, 8\n"
        ".size __rseq_size, 4\n"
        ".popsection");
extern unsigned __rseq_size;

// Whether requests are expected, and what the kernel sets in the flags of a new thread.
static int is_used, flags;
static int is_refused, is_plain;
static __thread int enabled, yields;

#define CHECK(condition) \
    if (!(condition)) { \
        dprintf(1, "line %d: %s; request %d, granted %d, yields %d, enabled %d times\n", __LINE__, #condition, area.request, \
                area.granted, yields, enabled); \
        _exit(1); \
    }

// What the kernel does for the two system calls.
static void trapped(int signal, siginfo_t *info, void *interrupted) {
    greg_t *registers = ((ucontext_t *)interrupted)->uc_mcontext.gregs;
    (void)signal;
    registers[REG_RAX] = 0;
    if (info->si_syscall == SLICE_YIELD) {
        CHECK(!area.request && area.granted);
        area.granted = 0;
        yields++;
        return;
    }
    CHECK(info->si_syscall == SYS_prctl && registers[REG_RSI] == 2 && registers[REG_RDX] == 1);
    CHECK(registers[REG_R10] == 0 && registers[REG_R8] == 0);
    enabled++;
    if (is_refused) registers[REG_RAX] = -ENOTSUPP;
    else area.flags |= ENABLED;
}

// By an instruction of this program's own: a library that sees a filter coming stops making such calls.
static long system_call(long number, long first, long second, const void *third) {
    long result;
    __asm__ volatile("xor %%r10d, %%r10d\n xor %%r8d, %%r8d\n syscall"
                     : "=a"(result)
                     : "a"(number), "D"(first), "S"(second), "d"(third)
                     : "rcx", "r11", "r10", "r8", "memory");
    return result;
}

static void play_kernel(void) {
    struct sigaction action = {.sa_sigaction = trapped, .sa_flags = SA_SIGINFO};
    sigaction(SIGSYS, &action, NULL);
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SLICE_YIELD, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SLICE_PRCTL, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    if (system_call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, NULL) || system_call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program)) {
        perror("a filter");
        exit(2);
    }
}

// A thread holds mutexes, or none.
static void holds(void) { CHECK(area.request == is_used && area.granted == 0); }
static void holds_none(void) { CHECK(area.request == 0 && area.granted == 0); }

// The kernel wants the processor for another thread, and lets this one run on if it requests that.
static void grant(void) {
    holds();
    if (!is_used) return;
    area.request = 0;
    area.granted = 1;
}

// The extension has ended, and the thread has been preempted after all.
static void end_grant(void) { area.granted = 0; }

// The outermost release: gives back what was granted.
#define GIVES_BACK(count, release) \
    do { \
        int before = yields; \
        CHECK((release) == 0); \
        CHECK(yields - before == (is_used ? (count) : 0)); \
        holds_none(); \
    } while (0)

static void plain_holds(pthread_mutex_t *mutex, pthread_mutex_t *other) {
    holds_none();
    pthread_mutex_lock(mutex);
    holds();
    GIVES_BACK(0, pthread_mutex_unlock(mutex));

    pthread_mutex_lock(mutex);
    grant();
    GIVES_BACK(1, pthread_mutex_unlock(mutex));

    // The next hold makes a request of its own.
    pthread_mutex_lock(mutex);
    grant();
    end_grant();
    GIVES_BACK(0, pthread_mutex_unlock(mutex));

    // Two at once, released in either order: one request.
    for (int first = 0; first < 2; first++) {
        for (int is_granted = 0; is_granted < 2; is_granted++) {
            int before = yields;
            pthread_mutex_lock(mutex);
            holds();
            pthread_mutex_lock(other);
            if (is_granted) grant();
            else holds();
            pthread_mutex_unlock(first ? mutex : other);
            CHECK(yields == before && area.request == (is_used && !is_granted));
            GIVES_BACK(is_granted, pthread_mutex_unlock(first ? other : mutex));
        }
    }
}

static void tries(pthread_mutex_t *mutex) {
    CHECK(pthread_mutex_trylock(mutex) == 0);
    holds();
    CHECK(pthread_mutex_trylock(mutex) == EBUSY);
    grant();
    GIVES_BACK(1, pthread_mutex_unlock(mutex));

    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec += 60;
    CHECK(pthread_mutex_timedlock(mutex, &soon) == 0);
    grant();
    GIVES_BACK(1, pthread_mutex_unlock(mutex));

    clock_gettime(CLOCK_MONOTONIC, &soon);
    soon.tv_sec += 60;
    CHECK(pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &soon) == 0);
    holds();
    GIVES_BACK(0, pthread_mutex_unlock(mutex));
}

// Mutexes that know their holder: a second acquisition and what is refused change nothing.
static void kinds(void) {
    pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&recursive);
    CHECK(pthread_mutex_trylock(&recursive) == 0);
    grant();
    pthread_mutex_unlock(&recursive);
    pthread_mutex_unlock(&recursive);
    CHECK(area.granted == is_used);
    GIVES_BACK(1, pthread_mutex_unlock(&recursive));

    pthread_mutex_lock(&checking);
    CHECK(pthread_mutex_lock(&checking) == EDEADLK);
    holds();
    GIVES_BACK(0, pthread_mutex_unlock(&checking));
    CHECK(pthread_mutex_unlock(&checking) == EPERM);
    holds_none();

    mtx_t c11;
    mtx_init(&c11, mtx_timed);
    mtx_lock(&c11);
    grant();
    GIVES_BACK(1, mtx_unlock(&c11));
    CHECK(mtx_trylock(&c11) == thrd_success);
    holds();
    GIVES_BACK(0, mtx_unlock(&c11));
    mtx_destroy(&c11);
}

// A mutex that is left to the C library.
static void robust(void) {
    pthread_mutexattr_t attributes;
    pthread_mutex_t mutex;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    pthread_mutex_lock(&mutex);
    holds_none();
    pthread_mutex_unlock(&mutex);
    holds_none();
}

static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER, outer = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static struct area *volatile waiter;
static volatile int turn, count;

// What a thread does once it has enabled the extension, if it is to.
static void checked(void) {
    int expected = is_refused ? 1 : is_used && !(flags & ENABLED);
    CHECK(enabled == expected);
}

static void begin_thread(void) {
    area.flags = flags;
    area.request = area.granted = 0;
}

// Waits for a condition, with one mutex or with another one held all the time.
static void *wait_for_turn(void *holds_another) {
    begin_thread();
    if (holds_another) pthread_mutex_lock(&outer);
    pthread_mutex_lock(&shared);
    waiter = &area;
    int before = yields;
    if (!holds_another) grant();
    while (!turn) pthread_cond_wait(&turned, &shared);
    CHECK(yields - before == (is_used && !holds_another));
    holds();
    if (holds_another) {
        pthread_mutex_unlock(&shared);
        holds();
        GIVES_BACK(0, pthread_mutex_unlock(&outer));
    } else {
        GIVES_BACK(0, pthread_mutex_unlock(&shared));
    }
    checked();
    return NULL;
}

static void conditions(void) {
    for (int holds_another = 0; holds_another < 2; holds_another++) {
        pthread_t id;
        waiter = NULL;
        turn = 0;
        pthread_create(&id, NULL, wait_for_turn, holds_another ? &outer : NULL);
        // It has released the mutex once another thread holds it.
        for (int is_waiting = 0; !is_waiting;) {
            pthread_mutex_lock(&shared);
            is_waiting = waiter != NULL;
            pthread_mutex_unlock(&shared);
            sched_yield();
        }
        // The waiter ends its request and gives its grant back after its release, and this thread may look in between.
        uint8_t expected = is_used && holds_another;
        for (int patience = 0; (waiter->request != expected || waiter->granted) && patience < 10000; patience++) usleep(1000);
        CHECK(waiter->request == expected && waiter->granted == 0);
        pthread_mutex_lock(&shared);
        turn = 1;
        pthread_cond_signal(&turned);
        pthread_mutex_unlock(&shared);
        pthread_join(id, NULL);
    }
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    pthread_mutex_lock(&shared);
    CHECK(pthread_cond_timedwait(&turned, &shared, &soon) == ETIMEDOUT);
    grant();
    GIVES_BACK(1, pthread_mutex_unlock(&shared));
}

// Waits for a mutex that another thread holds, with a deadline that passes and then without.
static void *wait_for_mutex(void *unused) {
    begin_thread();
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_nsec += 2000000;
    soon.tv_sec += soon.tv_nsec / 1000000000;
    soon.tv_nsec %= 1000000000;
    CHECK(pthread_mutex_trylock(&shared) == EBUSY);
    CHECK(pthread_mutex_timedlock(&shared, &soon) == ETIMEDOUT);
    holds_none();
    waiter = &area;
    pthread_mutex_lock(&shared);
    grant();
    GIVES_BACK(1, pthread_mutex_unlock(&shared));
    checked();
    return unused;
}

static void contended(void) {
    pthread_t id;
    waiter = NULL;
    pthread_mutex_lock(&shared);
    pthread_create(&id, NULL, wait_for_mutex, NULL);
    while (!waiter) usleep(100);
    usleep(2000);
    holds();
    CHECK(waiter->request == 0);
    GIVES_BACK(0, pthread_mutex_unlock(&shared));
    pthread_join(id, NULL);
}

static void *count_up(void *unused) {
    begin_thread();
    for (int round = 0; round < ROUNDS; round++) {
        pthread_mutex_lock(&shared);
        count++;
        if (round % 3 == 0) grant();
        if (round % 6 == 0) end_grant();
        GIVES_BACK(round % 6 == 3, pthread_mutex_unlock(&shared));
    }
    checked();
    return unused;
}

static void many(void) {
    pthread_t ids[2];
    count = 0;
    for (int i = 0; i < 2; i++) pthread_create(&ids[i], NULL, count_up, NULL);
    for (int i = 0; i < 2; i++) pthread_join(ids[i], NULL);
    CHECK(count == 2 * ROUNDS);
}

// A child has its parent's area, its request and its mutexes.
static void forked(void) {
    int status;
    pthread_mutex_lock(&shared);
    pid_t child = fork();
    holds();
    grant();
    GIVES_BACK(1, pthread_mutex_unlock(&shared));
    if (child == 0) {
        pthread_mutex_lock(&shared);
        holds();
        GIVES_BACK(0, pthread_mutex_unlock(&shared));
        checked();
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

// The program gives up system calls while it holds a mutex: the kernel ends the grant itself.
static void give_up(void) {
    pthread_mutex_lock(&shared);
    grant();
    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL);
    int before = yields;
    pthread_mutex_unlock(&shared);
    CHECK(yields == before && area.request == 0);
    end_grant();
    is_used = 0;
    flags |= ENABLED;
}

static const char *mode = "";
static int is(const char *name) { return strcmp(mode, name) == 0; }

int main(int argc, char **argv) {
    if (argc > 1) mode = argv[1];
    is_plain = argc > 2;
    is_used = is("offered") || is("enabled") || is("given-up");
    flags = is("absent") ? 0 : is("enabled") ? OFFERED | ENABLED : OFFERED;
    is_refused = is("refused");
    if (is("original")) __rseq_size = 32;
    play_kernel();
    begin_thread();

    for (int round = 0; round < 2; round++) {
        pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
        plain_holds(&mutex, &outer);
        checked();
        tries(&mutex);
        if (!is_plain) kinds();
        robust();
        conditions();
        contended();
        many();
        forked();
        checked();
        if (!is("given-up")) break;
        if (round == 0) {
            give_up();
            enabled = 0;
        }
    }
    return 0;
}

// Locks that come from known calls, and waits that known calls led to. Every function on the way notes its own return
// address; a line for each lock says what happened and then the addresses, innermost first, without that of the call of
// the lock function itself:
//
//   init         a mutex initialised
//   first        a mutex acquired for the first time
//   contended    a mutex that another thread holds
//   condition    a wait for a condition, which its deadline ends
//   handler      a mutex initialised in a signal handler
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define FUNCTION __attribute__((noinline, noclone)) void
// Keeps what follows a call behind it, so that no call becomes a jump.
#define RETURN __asm__ volatile("" ::: "memory")

static void *noted[64];
static int count;
static pthread_mutex_t used = PTHREAD_MUTEX_INITIALIZER, shared = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t waited = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static volatile int held;

static void note(void *address) { noted[count++] = address; }

static void tell(const char *what) {
    printf("%s", what);
    for (int call = count - 1; call >= 0; call--)
        printf(" %lx", (unsigned long)noted[call]);
    printf("\n");
    count = 0;
}

FUNCTION init(void) {
    static pthread_mutex_t made;
    note(__builtin_return_address(0));
    pthread_mutex_init(&made, NULL);
    tell("init");
}

FUNCTION first(void) {
    note(__builtin_return_address(0));
    pthread_mutex_lock(&used);
    pthread_mutex_unlock(&used);
    tell("first");
}

static void *hold(void *unused) {
    pthread_mutex_lock(&shared);
    held = 1;
    // Until the lock word says that there is a waiter (glibc: 2), or for ten seconds.
    for (int patience = 10000; *(volatile int *)&shared != 2 && patience > 0; patience--)
        usleep(1000);
    pthread_mutex_unlock(&shared);
    return unused;
}

FUNCTION contended(void) {
    pthread_t holder;
    note(__builtin_return_address(0));
    pthread_create(&holder, NULL, hold, NULL);
    while (!held)
        usleep(100);
    pthread_mutex_lock(&shared);
    pthread_mutex_unlock(&shared);
    pthread_join(holder, NULL);
    tell("contended");
}

FUNCTION condition(void) {
    struct timespec deadline;
    note(__builtin_return_address(0));
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_nsec += 20000000;
    if (deadline.tv_nsec >= 1000000000) {
        deadline.tv_nsec -= 1000000000;
        deadline.tv_sec++;
    }
    pthread_mutex_lock(&waited);
    pthread_cond_timedwait(&never, &waited, &deadline);
    pthread_mutex_unlock(&waited);
    tell("condition");
}

FUNCTION init_in_handler(void) {
    static pthread_mutex_t made;
    note(__builtin_return_address(0));
    pthread_mutex_init(&made, NULL);
    RETURN;
}

static void handle(int signal) {
    (void)signal;
    init_in_handler();
    RETURN;
}

FUNCTION handler(void) {
    signal(SIGUSR1, handle);
    raise(SIGUSR1);
    tell("handler");
}

FUNCTION deep(int depth, void (*action)(void)) {
    if (depth == 0) {
        note(__builtin_return_address(0));
        action();
    } else {
        note(__builtin_return_address(0));
        deep(depth - 1, action);
    }
    RETURN;
}

int main(void) {
    void (*const actions[])(void) = {init, first, contended, condition, handler};
    for (int action = 0; action < 5; action++)
        deep(3 + action, actions[action]);
    return 0;
}

/* Calls whose return addresses are known: every function notes its own before it calls on, so that a walk of the stack
 * can be compared with it. Compiled as a library, with and without what unwinders need. */
#define _GNU_SOURCE
#include <alloca.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define FUNCTION __attribute__((noinline, noclone)) void
/* Keeps what follows a call behind it, so that no call becomes a jump. */
#define RETURN __asm__ volatile("" ::: "memory")
#define NOTE(walk) ((walk)->noted[(walk)->count++] = __builtin_return_address(0))

#ifdef PADDING
/* What unwinders need lies behind it. */
const char padding[PADDING] = {1};
#endif

struct walk {
    /* The function that walks; it returns here. */
    void (*lock)(struct walk *);
    /* Return addresses, outermost first. */
    void *noted[512];
    int count;
};

FUNCTION descend(struct walk *walk, int depth)
{
    NOTE(walk);
    if (depth > 0)
        descend(walk, depth - 1);
    else
        walk->lock(walk);
    RETURN;
}

/* A frame whose size is known only at run time, so that the frame pointer is needed. */
FUNCTION descend_variable(struct walk *walk, int depth)
{
    NOTE(walk);
    char *some = alloca(64 + 16 * depth);
    memset(some, depth, 64);
    __asm__ volatile("" ::"r"(some) : "memory");
    if (depth > 0)
        descend_variable(walk, depth - 1);
    else
        descend(walk, 1);
    RETURN;
}

/* A frame that the compiler aligns by itself. */
FUNCTION descend_aligned(struct walk *walk, int depth)
{
    NOTE(walk);
    char some[64 + depth] __attribute__((aligned(64)));
    memset(some, depth, sizeof some);
    __asm__ volatile("" ::"r"(some) : "memory");
    if (depth > 0)
        descend_aligned(walk, depth - 1);
    else
        descend(walk, 1);
    RETURN;
}

/* Frames of many pages, most of which nobody has touched. */
FUNCTION descend_large(struct walk *walk, int depth)
{
    NOTE(walk);
    volatile char some[100000];
    some[0] = (char)depth;
    if (depth > 0)
        descend_large(walk, depth - 1);
    else
        descend(walk, 1);
    some[1] = some[0];
}

static __thread struct walk *current;

static int compare(const void *left, const void *right)
{
    struct walk *walk = current;
    if (walk) {
        current = NULL;
        NOTE(walk);
        descend(walk, 2);
    }
    return *(const int *)left - *(const int *)right;
}

/* The C library in between: two frames or more that are not noted. */
FUNCTION descend_sorting(struct walk *walk, int depth)
{
    NOTE(walk);
    int numbers[] = {3, 2, 1, depth};
    current = walk;
    qsort(numbers, 4, sizeof *numbers, compare);
    RETURN;
}

static void handle(int signal)
{
    struct walk *walk = current;
    (void)signal;
    if (walk) {
        current = NULL;
        NOTE(walk);
        descend(walk, 2);
        RETURN;
    }
}

/* A signal in between, on its own stack if `depth` is not zero. */
FUNCTION descend_signalled(struct walk *walk, int depth)
{
    static char stack[64 << 10];
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack}, before;
    struct sigaction action = {.sa_handler = handle, .sa_flags = depth ? SA_ONSTACK : 0}, old;
    NOTE(walk);
    if (depth)
        sigaltstack(&other, &before);
    sigaction(SIGUSR2, &action, &old);
    current = walk;
    raise(SIGUSR2);
    sigaction(SIGUSR2, &old, NULL);
    if (depth)
        sigaltstack(&before, NULL);
    RETURN;
}

static void run_coroutine(void)
{
    descend(current, 3);
    RETURN;
}

/* On a stack that is not the thread's. */
FUNCTION descend_elsewhere(struct walk *walk, int depth)
{
    ucontext_t coroutine, here;
    static char stack[64 << 10];
    NOTE(walk);
    getcontext(&coroutine);
    coroutine.uc_stack.ss_sp = stack;
    coroutine.uc_stack.ss_size = sizeof stack;
    coroutine.uc_link = &here;
    makecontext(&coroutine, run_coroutine, 0);
    current = walk;
    swapcontext(&here, &coroutine);
    (void)depth;
    RETURN;
}

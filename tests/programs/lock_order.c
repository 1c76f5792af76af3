/* Threads that acquire locks in orders that can, or cannot, end in a deadlock. They run one after another, so none of them ever does.
   Usage: lock_order CASE */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER, third = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_rwlock_t readers_first = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t writers_first = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static pthread_spinlock_t spin;
static pthread_cond_t signalled = PTHREAD_COND_INITIALIZER;
static int is_ready;

static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *left_then_right(void *unused) { both(&left, &right); return unused; }
static void *right_then_left(void *unused) { both(&right, &left); return unused; }
static void *right_then_third(void *unused) { both(&right, &third); return unused; }
static void *third_then_left(void *unused) { both(&third, &left); return unused; }

static void *gated_left_then_right(void *unused)
{
    pthread_mutex_lock(&gate);
    both(&left, &right);
    pthread_mutex_unlock(&gate);
    return unused;
}

static void *gated_right_then_left(void *unused)
{
    pthread_mutex_lock(&gate);
    both(&right, &left);
    pthread_mutex_unlock(&gate);
    return unused;
}

static void *right_then_try_left(void *unused)
{
    pthread_mutex_lock(&right);
    if (pthread_mutex_trylock(&left) == 0)
        pthread_mutex_unlock(&left);
    pthread_mutex_unlock(&right);
    return unused;
}

static void *one_after_the_other(void *unused)
{
    both(&left, &right);
    both(&right, &left);
    return unused;
}

static void *nothing(void *unused) { return unused; }

/* Locks of one class: many accounts, each with a lock of its own. */
struct account {
    pthread_mutex_t lock;
    long balance;
    struct account *next;
};
static struct account *accounts[64];

static struct account *new_account(void)
{
    struct account *account = calloc(1, sizeof *account);
    pthread_mutex_init(&account->lock, NULL);
    return account;
}

static void transfer(struct account *from, struct account *to) { both(&from->lock, &to->lock); }
static void *forwards(void *unused) { transfer(accounts[3], accounts[5]); return unused; }
static void *backwards(void *unused) { transfer(accounts[5], accounts[3]); return unused; }

static void *in_order(void *unused)
{
    for (int first = 0; first < 63; first++) {
        struct account *one = accounts[first], *other = accounts[first + 1];
        if (one < other)
            transfer(one, other);
        else
            transfer(other, one);
    }
    return unused;
}

/* A list whose links lead up and down in memory: each lock is acquired after the one before it in the list. */
static void *along_the_list(void *unused)
{
    struct account *at = accounts[0];
    pthread_mutex_lock(&at->lock);
    while (at->next) {
        pthread_mutex_lock(&at->next->lock);
        pthread_mutex_unlock(&at->lock);
        at = at->next;
    }
    pthread_mutex_unlock(&at->lock);
    return unused;
}

/* By index, whatever the addresses are: the accounts' addresses go up with `number`, and 37 * number goes around. */
static struct account *by_index(int index) { return accounts[index * 37 % 64]; }

static void *by_indices(void *unused)
{
    for (int index = 0; index < 63; index++)
        transfer(by_index(index), by_index(index + 1));
    return unused;
}

static void *last_index_first(void *unused) { transfer(by_index(9), by_index(8)); return unused; }

/* A tree: the children of `index` are 2 * index + 1 and 2 * index + 2. A path is locked from the root to a leaf. */
static void *from_the_root(void *leaf)
{
    struct account *path[8];
    int depth = 0;
    for (int index = (int)(long)leaf; ; index = (index - 1) / 2) {
        path[depth++] = by_index(index);
        if (index == 0)
            break;
    }
    for (int level = depth - 1; level >= 0; level--)
        pthread_mutex_lock(&path[level]->lock);
    for (int level = 0; level < depth; level++)
        pthread_mutex_unlock(&path[level]->lock);
    return NULL;
}

static void *child_first(void *unused) { transfer(by_index(4), by_index(1)); return unused; }

static void *read_then_left(void *lock)
{
    pthread_rwlock_rdlock(lock);
    pthread_mutex_lock(&left);
    pthread_mutex_unlock(&left);
    pthread_rwlock_unlock(lock);
    return NULL;
}

static void *left_then_read(void *lock)
{
    pthread_mutex_lock(&left);
    pthread_rwlock_rdlock(lock);
    pthread_rwlock_unlock(lock);
    pthread_mutex_unlock(&left);
    return NULL;
}

static void *left_then_write(void *lock)
{
    pthread_mutex_lock(&left);
    pthread_rwlock_wrlock(lock);
    pthread_rwlock_unlock(lock);
    pthread_mutex_unlock(&left);
    return NULL;
}

static void *only_write(void *lock)
{
    pthread_rwlock_wrlock(lock);
    pthread_rwlock_unlock(lock);
    return NULL;
}

static void *read_twice(void *lock)
{
    pthread_rwlock_rdlock(lock);
    pthread_rwlock_rdlock(lock);
    pthread_rwlock_unlock(lock);
    pthread_rwlock_unlock(lock);
    return NULL;
}

static void *spin_then_left(void *unused)
{
    pthread_spin_lock(&spin);
    pthread_mutex_lock(&left);
    pthread_mutex_unlock(&left);
    pthread_spin_unlock(&spin);
    return unused;
}

static void *left_then_spin(void *unused)
{
    pthread_mutex_lock(&left);
    pthread_spin_lock(&spin);
    pthread_spin_unlock(&spin);
    pthread_mutex_unlock(&left);
    return unused;
}

static void *recursively(void *unused)
{
    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&left);
    pthread_mutex_lock(&recursive);
    pthread_mutex_unlock(&recursive);
    pthread_mutex_unlock(&left);
    pthread_mutex_unlock(&recursive);
    return unused;
}

static void *signal_it(void *unused)
{
    usleep(20000);
    pthread_mutex_lock(&left);
    is_ready = 1;
    pthread_cond_signal(&signalled);
    pthread_mutex_unlock(&left);
    return unused;
}

static void wait_for_it(void)
{
    while (!is_ready)
        pthread_cond_wait(&signalled, &left);
}

static void *wait_alone(void *unused)
{
    pthread_mutex_lock(&left);
    wait_for_it();
    pthread_mutex_unlock(&left);
    return unused;
}

/* The wait releases `left` and acquires it again while `right` is held. */
static void *wait_while_holding(void *unused)
{
    pthread_mutex_lock(&left);
    pthread_mutex_lock(&right);
    wait_for_it();
    pthread_mutex_unlock(&right);
    pthread_mutex_unlock(&left);
    return unused;
}

static pthread_barrier_t meeting;

static void *hold_during_fork(void *unused)
{
    pthread_mutex_lock(&left);
    pthread_barrier_wait(&meeting);
    pthread_barrier_wait(&meeting);
    pthread_mutex_unlock(&left);
    return unused;
}

static void *exit_with_it(void *unused)
{
    pthread_mutex_lock(&left);
    return unused;
}

/* Each of very many locks, while another one is held. */
static void *left_then_each(void *unused)
{
    for (int number = 0; number < 20000; number++)
        both(&left, &new_account()->lock);
    return unused;
}

static void run(void *(*body)(void *), void *argument)
{
    pthread_t thread;
    pthread_create(&thread, NULL, body, argument);
    pthread_join(thread, NULL);
}

static void together(void *(*one)(void *), void *(*other)(void *))
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, other, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
}

static void fork_while_held(int uses_locks)
{
    pthread_t thread;
    pthread_barrier_init(&meeting, NULL, 2);
    pthread_create(&thread, NULL, hold_during_fork, NULL);
    pthread_barrier_wait(&meeting);
    pid_t child = fork();
    if (child == 0) {
        if (uses_locks)
            both(&third, &gate);
        else
            execl("/bin/true", "true", NULL);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    pthread_barrier_wait(&meeting);
    pthread_join(thread, NULL);
}

static void *left_then_right_in_deadlock(void *unused)
{
    pthread_mutex_lock(&left);
    pthread_barrier_wait(&meeting);
    pthread_mutex_lock(&right);
    return unused;
}

static void *right_then_left_in_deadlock(void *unused)
{
    pthread_mutex_lock(&right);
    pthread_barrier_wait(&meeting);
    pthread_mutex_lock(&left);
    return unused;
}

/* The only case that ends in a deadlock. The process ends all the same. */
static void deadlock(void)
{
    pthread_t threads[2];
    pthread_barrier_init(&meeting, NULL, 2);
    pthread_create(&threads[0], NULL, left_then_right_in_deadlock, NULL);
    pthread_create(&threads[1], NULL, right_then_left_in_deadlock, NULL);
    /* The threads wait once both mutexes say so. */
    while (left.__data.__lock != 2 || right.__data.__lock != 2)
        usleep(1000);
}

static void make_accounts(void)
{
    for (int number = 0; number < 64; number++)
        accounts[number] = new_account();
    /* 37 and 64 have no common divisor: the list goes through all accounts, and up and down in memory. */
    for (int number = 0; number < 63; number++)
        accounts[number * 37 % 64]->next = accounts[(number + 1) * 37 % 64];
}

int main(int count, char **words)
{
    const char *which = count > 1 ? words[1] : "";
#define IS(name) (strcmp(which, name) == 0)
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    make_accounts();
    if (IS("inversion")) {
        run(left_then_right, NULL), run(right_then_left, NULL);
    } else if (IS("three")) {
        run(left_then_right, NULL), run(right_then_third, NULL), run(third_then_left, NULL);
    } else if (IS("gate")) {
        run(gated_left_then_right, NULL), run(gated_right_then_left, NULL);
    } else if (IS("half_gate")) {
        run(gated_left_then_right, NULL), run(right_then_left, NULL);
    } else if (IS("one_thread")) {
        run(one_after_the_other, NULL);
    } else if (IS("one_of_several")) {
        run(one_after_the_other, NULL), run(one_after_the_other, NULL);
    } else if (IS("try")) {
        run(left_then_right, NULL), run(right_then_try_left, NULL);
    } else if (IS("accounts")) {
        run(forwards, NULL), run(backwards, NULL);
    } else if (IS("accounts_in_order")) {
        run(in_order, NULL), run(in_order, NULL);
    } else if (IS("list")) {
        run(along_the_list, NULL), run(along_the_list, NULL);
    } else if (IS("by_index")) {
        run(by_indices, NULL), run(by_indices, NULL);
    } else if (IS("against_the_index")) {
        run(by_indices, NULL), run(last_index_first, NULL);
    } else if (IS("tree")) {
        for (long leaf = 31; leaf < 63; leaf++)
            run(from_the_root, (void *)leaf), run(from_the_root, (void *)leaf);
    } else if (IS("up_the_tree")) {
        for (long leaf = 31; leaf < 63; leaf++)
            run(from_the_root, (void *)leaf);
        run(child_first, NULL);
    } else if (IS("reader_and_writer")) {
        run(read_then_left, &readers_first), run(left_then_write, &readers_first);
    } else if (IS("readers")) {
        run(read_then_left, &readers_first), run(left_then_read, &readers_first), run(only_write, &readers_first);
    } else if (IS("readers_behind_writers")) {
        run(read_then_left, &writers_first), run(left_then_read, &writers_first), run(only_write, &writers_first);
    } else if (IS("read_twice")) {
        run(read_twice, &readers_first), run(only_write, &readers_first);
    } else if (IS("read_twice_behind_writers")) {
        run(read_twice, &writers_first), run(only_write, &writers_first);
    } else if (IS("spin")) {
        run(spin_then_left, NULL), run(left_then_spin, NULL);
    } else if (IS("recursive")) {
        run(recursively, NULL), run(recursively, NULL);
    } else if (IS("wait")) {
        together(wait_alone, signal_it);
    } else if (IS("wait_while_holding")) {
        together(wait_while_holding, signal_it);
    } else if (IS("wait_while_holding_and_other")) {
        together(wait_while_holding, signal_it), run(left_then_right, NULL);
    } else if (IS("deadlock")) {
        deadlock();
    } else if (IS("fork")) {
        fork_while_held(1);
    } else if (IS("fork_and_exec")) {
        fork_while_held(0);
    } else if (IS("many")) {
        run(left_then_each, NULL), run(left_then_each, NULL);
    } else if (IS("thread_end")) {
        run(exit_with_it, NULL), run(nothing, NULL);
    } else {
        fprintf(stderr, "no such case: %s\n", which);
        return 2;
    }
    return 0;
}

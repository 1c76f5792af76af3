/* A parent makes eight reader-writer locks and a mutex in parent_init, and forks two children. Each child makes a mutex of its own in
   child_init, and uses all of them. A child of a child uses them, too. With a number, there are so many processes instead, each forked from
   the one before, which use what parent_init has made. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOCKS = 8, ROUNDS = 100, CHILDREN = 2 };

static pthread_rwlock_t *tables;
static pthread_mutex_t *journal;
static pthread_mutex_t *own;

__attribute__((noinline)) static void parent_init(void)
{
    tables = calloc(LOCKS, sizeof *tables);
    for (int each = 0; each < LOCKS; each++)
        pthread_rwlock_init(&tables[each], NULL);
    journal = malloc(sizeof *journal);
    pthread_mutex_init(journal, NULL);
}

__attribute__((noinline)) static void child_init(void)
{
    own = malloc(sizeof *own);
    pthread_mutex_init(own, NULL);
}

__attribute__((noinline)) static void use_all(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        for (int each = 0; each < LOCKS; each++) {
            pthread_rwlock_wrlock(&tables[each]);
            pthread_rwlock_unlock(&tables[each]);
        }
        pthread_mutex_lock(journal);
        pthread_mutex_unlock(journal);
        if (own) {
            pthread_mutex_lock(own);
            pthread_mutex_unlock(own);
        }
    }
}

static void forked(void (*work)(void))
{
    pid_t child = fork();
    if (child == 0) {
        work();
        exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        exit(1);
}

static void child(void)
{
    child_init();
    use_all();
    forked(use_all);
}

static int processes_left;

static void chain(void)
{
    use_all();
    if (--processes_left > 0)
        forked(chain);
}

int main(int argc, char **argv)
{
    parent_init();
    if (argc > 1) {
        processes_left = atoi(argv[1]);
        chain();
        return 0;
    }
    for (int each = 0; each < CHILDREN; each++)
        forked(child);
    return 0;
}

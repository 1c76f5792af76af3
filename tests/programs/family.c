/* A process that takes `family_lock` 50 times in parent_work and starts 3 children by fork, which
 * take it 100 times each in child_work. Exit status: 0. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t family_lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void parent_work(void) {
    for (int turn = 0; turn < 50; turn++) {
        pthread_mutex_lock(&family_lock);
        pthread_mutex_unlock(&family_lock);
    }
}

__attribute__((noinline)) static void child_work(void) {
    for (int turn = 0; turn < 100; turn++) {
        pthread_mutex_lock(&family_lock);
        pthread_mutex_unlock(&family_lock);
    }
}

int main(void) {
    parent_work();
    for (int i = 0; i < 3; i++) {
        pid_t child = fork();
        if (child < 0)
            return 1;
        if (child == 0) {
            child_work();
            exit(0);
        }
    }
    int status, failed = 0;
    while (wait(&status) > 0)
        failed |= status;
    return failed != 0;
}

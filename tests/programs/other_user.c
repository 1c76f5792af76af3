// Started by the superuser, becomes another user, forks a worker that does so only then, and acquires 20,000 mutexes once
// each in both: more than fits into the first piece of a recording.
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MUTEXES = 20000, NOBODY = 65534 };

static void acquire_all(void) {
    pthread_mutex_t *mutexes = calloc(MUTEXES, sizeof *mutexes);
    for (int i = 0; i < MUTEXES; i++) {
        pthread_mutex_lock(&mutexes[i]);
        pthread_mutex_unlock(&mutexes[i]);
    }
}

int main(void) {
    pid_t worker = fork();
    if (setgid(NOBODY) || setuid(NOBODY))
        return 1;
    acquire_all();
    if (worker == 0)
        _exit(0);
    int status;
    waitpid(worker, &status, 0);
    return status;
}

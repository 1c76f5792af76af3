/* hostile_threads [ANY [NAME]]: a process and a thread whose names are commands to a terminal, or NAME; the threads wait for each other until standard input ends. The
 * file's own name is for whoever starts it to choose. */
#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define HOSTILE "\033]0;owned\007\033[1A\r"

static pthread_mutex_t contended = PTHREAD_MUTEX_INITIALIZER;
static volatile int over;

static void *contend(void *name) {
    struct timespec pause = {0, 2000000};
    if (name)
        prctl(PR_SET_NAME, name);
    while (!over) {
        pthread_mutex_lock(&contended);
        nanosleep(&pause, NULL);
        pthread_mutex_unlock(&contended);
    }
    return NULL;
}

int main(int argc, char **argv) {
    char *name = argc > 2 ? argv[2] : HOSTILE;
    pthread_t threads[2];
    char byte;
    prctl(PR_SET_NAME, name);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, contend, i ? name : NULL);
    puts("ready");
    fflush(stdout);
    while (read(0, &byte, 1) > 0)
        ;
    over = 1;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

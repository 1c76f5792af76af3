// What threads do while they hold a mutex.
//
//   asleep    20 holds in which the holder sleeps for 1 ms: blocked, one system call each
//   reading   20 holds in which the holder reads from a pipe that another thread fills 1 ms later, two system calls each
//             (it writes a request first)
//   computing 20 holds of 1 ms of arithmetic: not blocked, no system call
//   calling   20 holds with 3 calls that never block
#include "measure.h"
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t asleep = PTHREAD_MUTEX_INITIALIZER, reading = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t computing = PTHREAD_MUTEX_INITIALIZER, calling = PTHREAD_MUTEX_INITIALIZER;
static int request[2], reply[2];

static void *serve(void *unused) {
    char byte;
    while (read(request[0], &byte, 1) == 1) {
        sleep_ns(1000000);
        if (write(reply[1], &byte, 1) != 1) break;
    }
    return unused;
}

int main(void) {
    pthread_t server;
    char byte = 0;
    if (pipe(request) != 0 || pipe(reply) != 0) return 1;
    pthread_create(&server, NULL, serve, NULL);
    for (int i = 0; i < 20; i++) {
        pthread_mutex_lock(&asleep);
        sleep_ns(1000000);
        pthread_mutex_unlock(&asleep);

        pthread_mutex_lock(&reading);
        if (write(request[1], &byte, 1) != 1 || read(reply[0], &byte, 1) != 1) return 2;
        pthread_mutex_unlock(&reading);

        pthread_mutex_lock(&computing);
        spin_ns(1000000);
        pthread_mutex_unlock(&computing);

        pthread_mutex_lock(&calling);
        if (getpid() < 0 || getuid() == 12345 || isatty(-1)) return 3;
        pthread_mutex_unlock(&calling);
    }
    close(request[1]);
    pthread_join(server, NULL);
    puts("done");
    return 0;
}

// A library to be preloaded whose clock_gettime takes a mutex, as one that fakes the time may.
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t clock_mutex = PTHREAD_MUTEX_INITIALIZER;

int clock_gettime(clockid_t clock, struct timespec *time) {
    pthread_mutex_lock(&clock_mutex);
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    pthread_mutex_unlock(&clock_mutex);
    return result;
}

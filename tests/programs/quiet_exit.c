/* Takes a mutex, works for 200 ms of processor time, prints how much it has used in nanoseconds, and ends by _exit: no exit handler
   runs. */
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static long long used_ns(void)
{
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return used.tv_sec * 1000000000LL + used.tv_nsec;
}

int main(void)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    while (used_ns() < 200000000)
        ;
    printf("%lld\n", used_ns());
    fflush(stdout);
    _exit(0);
}

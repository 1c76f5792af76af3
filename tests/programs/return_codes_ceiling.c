// Mutexes with a priority ceiling. The GNU C library counts attempts that it then refuses for a thread without a
// priority, so the second attempt is answered otherwise than the first (seen in 2.36). A recorder that tries before it
// locks makes the first call the second.
#include "show.h"
#include <pthread.h>

static pthread_mutex_t mutex;

static void make(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    SHOW(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT));
    SHOW(pthread_mutexattr_setprioceiling(&attributes, 3));
    SHOW(pthread_mutex_init(&mutex, &attributes));
}

static void *in_new_thread(void *way) {
    struct timespec past = {1, 0};
    for (int turn = 0; turn < 3; turn++) {
        int result = *(char *)way == 'l'   ? pthread_mutex_lock(&mutex)
                     : *(char *)way == 't' ? pthread_mutex_trylock(&mutex)
                     : *(char *)way == 'd' ? pthread_mutex_timedlock(&mutex, &past)
                                           : pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &past);
        printf("%c turn %d: %d\n", *(char *)way, turn, result);
        if (result == 0) SHOW(pthread_mutex_unlock(&mutex));
    }
    return NULL;
}

int main(void) {
    make();
    for (char *way = "ltdc"; *way; way++) {
        pthread_t thread;
        pthread_create(&thread, NULL, in_new_thread, way);
        pthread_join(thread, NULL);
    }
    int was = -77;
    SHOW(pthread_mutex_getprioceiling(&mutex, &was));
    SHOW(pthread_mutex_setprioceiling(&mutex, 4, &was));
    printf("was %d\n", was);
    SHOW(pthread_mutex_destroy(&mutex));
    return 0;
}

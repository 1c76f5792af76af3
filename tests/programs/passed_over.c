/* A thread waits to write under a reader-writer lock that prefers readers, while the main thread goes on reading: it acquires and releases
   the lock 20,000 times, with the other thread asleep in it, and then releases the lock to it. */
#include "measure.h"

#define PAIRS 20000

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct coming coming;

static void *writes(void *unused)
{
    come(&coming);
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t writer;
    pthread_rwlock_rdlock(&lock);
    if (pthread_create(&writer, NULL, writes, NULL))
        return 1;
    while (!__atomic_load_n(&coming.thread, __ATOMIC_ACQUIRE) || !is_asleep(coming.thread))
        sleep_ns(50000);
    for (int pair = 0; pair < PAIRS; pair++) {
        pthread_rwlock_rdlock(&lock);
        pthread_rwlock_unlock(&lock);
    }
    pthread_rwlock_unlock(&lock);
    return pthread_join(writer, NULL);
}

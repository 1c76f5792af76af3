/* A plug-in that has the library; see host.c. */
#include <locktoll.h>

static locktoll_mutex own = LOCKTOLL_MUTEX_INIT;
static long count;

void contend(locktoll_mutex *host, long *host_count, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        locktoll_mutex_lock(host);
        ++*host_count;
        locktoll_mutex_unlock(host);
        locktoll_mutex_lock(&own);
        ++count;
        locktoll_mutex_unlock(&own);
    }
}

long counted(void)
{
    return count;
}

/* The header by itself, in the strictest mode: nothing has been included before it, and nothing was asked of the C library. */
#include <locktoll.h>

static locktoll_mutex gate = LOCKTOLL_MUTEX_INIT;
static locktoll_condition opened = LOCKTOLL_CONDITION_INIT;

int main(void)
{
    locktoll_prepare();
    locktoll_mutex_lock(&gate);
    locktoll_condition_broadcast(&opened);
    locktoll_mutex_unlock(&gate);
    locktoll_condition_destroy(&opened);
    return locktoll_mutex_is_locked(&gate);
}

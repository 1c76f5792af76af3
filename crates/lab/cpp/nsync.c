/* nsync_mu. In C, because its header is. */

#include <nsync.h>

#include "peers.h"

_Static_assert(sizeof(nsync_mu) <= LOCKTOLL_PEER_BYTES, "the caller's memory is too small");

void locktoll_nsync_init(void *object) { nsync_mu_init(object); }
void locktoll_nsync_destroy(void *object) { (void)object; }
void locktoll_nsync_lock(void *object) { nsync_mu_lock(object); }
void locktoll_nsync_unlock(void *object) { nsync_mu_unlock(object); }

/* The spin locks of Concurrency Kit. In C, because its headers are. */

#include <stdlib.h>

#include <ck_spinlock.h>

#include "peers.h"

#define FITS(type) _Static_assert(sizeof(type) <= LOCKTOLL_PEER_BYTES, "the caller's memory is too small")
FITS(ck_spinlock_fas_t);
FITS(ck_spinlock_ticket_t);
FITS(ck_spinlock_mcs_t);
FITS(ck_spinlock_clh_t *);

void locktoll_ck_fas_init(void *object) { ck_spinlock_fas_init(object); }
void locktoll_ck_fas_destroy(void *object) { (void)object; }
void locktoll_ck_fas_lock(void *object) { ck_spinlock_fas_lock(object); }
void locktoll_ck_fas_unlock(void *object) { ck_spinlock_fas_unlock(object); }

void locktoll_ck_ticket_init(void *object) { ck_spinlock_ticket_init(object); }
void locktoll_ck_ticket_destroy(void *object) { (void)object; }
void locktoll_ck_ticket_lock(void *object) { ck_spinlock_ticket_lock(object); }
void locktoll_ck_ticket_unlock(void *object) { ck_spinlock_ticket_unlock(object); }

void locktoll_ck_mcs_init(void *object) { ck_spinlock_mcs_init(object); }
void locktoll_ck_mcs_destroy(void *object) { (void)object; }
void *locktoll_ck_mcs_lock(void *object) {
    void *node = locktoll_node_take(LOCKTOLL_MCS_NODE, sizeof(ck_spinlock_mcs_context_t));
    ck_spinlock_mcs_lock(object, node);
    return node;
}
void locktoll_ck_mcs_unlock(void *object, void *node) {
    ck_spinlock_mcs_unlock(object, node);
    locktoll_node_give(LOCKTOLL_MCS_NODE, node);
}

/* A CLH lock owns the node at its tail; releasing leaves ours there and gives us the one before. */
void locktoll_ck_clh_init(void *object) {
    ck_spinlock_clh_t *unowned = locktoll_node_take(LOCKTOLL_CLH_NODE, sizeof *unowned);
    ck_spinlock_clh_init(object, unowned);
}
void locktoll_ck_clh_destroy(void *object) {
    ck_spinlock_clh_t **tail = object;
    locktoll_node_give(LOCKTOLL_CLH_NODE, *tail);
}
void *locktoll_ck_clh_lock(void *object) {
    ck_spinlock_clh_t *node = locktoll_node_take(LOCKTOLL_CLH_NODE, sizeof *node);
    ck_spinlock_clh_lock(object, node);
    return node;
}
void locktoll_ck_clh_unlock(void *object, void *node) {
    ck_spinlock_clh_t *mine = node;
    (void)object;
    ck_spinlock_clh_unlock(&mine);
    locktoll_node_give(LOCKTOLL_CLH_NODE, mine);
}

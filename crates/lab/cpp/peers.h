/* One small C interface for every lock from a C or C++ library, so that the measured loop calls each
 * the same way: a direct call to acquire and one to release.
 *
 * The object lives in the caller's memory, `LOCKTOLL_PEER_BYTES` of it, and may be moved by
 * copying its bytes between `init` and the first `lock`. None of these locks stores its own
 * address while it is free.
 *
 * Queue locks need a node for each acquisition, which must not move: `lock` returns it and
 * `unlock` takes it back. Nodes come from a list of each thread's own, so that no memory is
 * allocated once a thread has been as deep as it goes. */
#ifndef LOCKTOLL_PEERS_H
#define LOCKTOLL_PEERS_H

#define LOCKTOLL_PEER_BYTES 16

#ifdef __cplusplus
extern "C" {
#endif

#define LOCKTOLL_PEER(name)                                                                        \
    void locktoll_##name##_init(void *object);                                                     \
    void locktoll_##name##_destroy(void *object);                                                  \
    void locktoll_##name##_lock(void *object);                                                     \
    void locktoll_##name##_unlock(void *object);

#define LOCKTOLL_QUEUE_PEER(name)                                                                  \
    void locktoll_##name##_init(void *object);                                                     \
    void locktoll_##name##_destroy(void *object);                                                  \
    void *locktoll_##name##_lock(void *object);                                                    \
    void locktoll_##name##_unlock(void *object, void *node);

LOCKTOLL_PEER(absl)
LOCKTOLL_PEER(tbb_mutex)
LOCKTOLL_PEER(tbb_spin)
LOCKTOLL_QUEUE_PEER(tbb_queuing)
LOCKTOLL_PEER(nsync)
LOCKTOLL_PEER(ck_fas)
LOCKTOLL_PEER(ck_ticket)
LOCKTOLL_QUEUE_PEER(ck_mcs)
LOCKTOLL_QUEUE_PEER(ck_clh)

/* A thread's spare nodes, from nodes.cc. `size` is the same at every call for one `kind`. The
 * memory is zeroed when it is first handed out and as it was given back after that. */
enum locktoll_node_kind { LOCKTOLL_TBB_NODE, LOCKTOLL_MCS_NODE, LOCKTOLL_CLH_NODE, LOCKTOLL_NODE_KINDS };
void *locktoll_node_take(enum locktoll_node_kind kind, unsigned size);
void locktoll_node_give(enum locktoll_node_kind kind, void *node);

#ifdef __cplusplus
}
#endif
#endif

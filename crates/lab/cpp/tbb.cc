// The mutexes of oneTBB.

#include <new>

#include <oneapi/tbb/mutex.h>
#include <oneapi/tbb/queuing_mutex.h>
#include <oneapi/tbb/spin_mutex.h>

#include "place.h"

using Queuing = tbb::queuing_mutex;

extern "C" {

void locktoll_tbb_mutex_init(void *object) { new (as<tbb::mutex>(object)) tbb::mutex; }
void locktoll_tbb_mutex_destroy(void *object) { as<tbb::mutex>(object)->~mutex(); }
void locktoll_tbb_mutex_lock(void *object) { as<tbb::mutex>(object)->lock(); }
void locktoll_tbb_mutex_unlock(void *object) { as<tbb::mutex>(object)->unlock(); }

void locktoll_tbb_spin_init(void *object) { new (as<tbb::spin_mutex>(object)) tbb::spin_mutex; }
void locktoll_tbb_spin_destroy(void *object) { as<tbb::spin_mutex>(object)->~spin_mutex(); }
void locktoll_tbb_spin_lock(void *object) { as<tbb::spin_mutex>(object)->lock(); }
void locktoll_tbb_spin_unlock(void *object) { as<tbb::spin_mutex>(object)->unlock(); }

void locktoll_tbb_queuing_init(void *object) { new (as<Queuing>(object)) Queuing; }
void locktoll_tbb_queuing_destroy(void *object) { as<Queuing>(object)->~queuing_mutex(); }
void *locktoll_tbb_queuing_lock(void *object) {
    void *node = locktoll_node_take(LOCKTOLL_TBB_NODE, sizeof(Queuing::scoped_lock));
    // Documented as the same as zero-initialization.
    auto *scoped = new (node) Queuing::scoped_lock;
    scoped->acquire(*as<Queuing>(object));
    return scoped;
}
void locktoll_tbb_queuing_unlock(void *, void *node) {
    auto *scoped = static_cast<Queuing::scoped_lock *>(node);
    scoped->release();
    scoped->~scoped_lock();
    locktoll_node_give(LOCKTOLL_TBB_NODE, node);
}

} // extern "C"

// absl::Mutex and the mutexes of oneTBB.

#include <new>

#include <absl/synchronization/mutex.h>
#include <oneapi/tbb/mutex.h>
#include <oneapi/tbb/queuing_mutex.h>
#include <oneapi/tbb/spin_mutex.h>

#include "peers.h"

namespace {

template <typename T> T *as(void *object) {
    static_assert(sizeof(T) <= LOCKTOLL_PEER_BYTES, "the caller's memory is too small");
    static_assert(alignof(T) <= alignof(void *), "the caller's memory is not aligned");
    return static_cast<T *>(object);
}

using Queuing = tbb::queuing_mutex;

} // namespace

extern "C" {

void locktoll_absl_init(void *object) {
    // The detector is for debugging, takes locks of its own, and would be all that is measured.
    absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
    new (as<absl::Mutex>(object)) absl::Mutex;
}
void locktoll_absl_destroy(void *object) { as<absl::Mutex>(object)->~Mutex(); }
void locktoll_absl_lock(void *object) { as<absl::Mutex>(object)->Lock(); }
void locktoll_absl_unlock(void *object) { as<absl::Mutex>(object)->Unlock(); }

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

// absl::Mutex.

#include <new>

#include <absl/synchronization/mutex.h>

#include "place.h"

extern "C" {

void locktoll_absl_init(void *object) {
    // The detector is for debugging, takes locks of its own, and would be all that is measured.
    absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
    new (as<absl::Mutex>(object)) absl::Mutex;
}
void locktoll_absl_destroy(void *object) { as<absl::Mutex>(object)->~Mutex(); }
void locktoll_absl_lock(void *object) { as<absl::Mutex>(object)->Lock(); }
void locktoll_absl_unlock(void *object) { as<absl::Mutex>(object)->Unlock(); }

} // extern "C"

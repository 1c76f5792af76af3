//! Models of the parts that only `RawMutex` has. The models that all locks have are in `loom_mutexes` and `loom_timed`.
//!
//! Models of two threads are explored with three preemptions, those of three threads with two. A model of two threads and stores in
//! which the heir has no patience has as many interleavings as one of three.
#![cfg(locktoll_loom)]

use locktoll_lock_checks::models as checker;
mod fair;
mod freed;
mod giving_up;
mod hand_over;
mod queue;
mod releases;
mod scene;
mod told;

//! Models of the parts that only `Tollgate` has. The models that all locks have are in `loom_mutexes` and `loom_timed`.
//!
//! Models of two threads are explored with three preemptions, those of three threads with two. A model of two threads and stores in
//! which the heir has no patience has as many interleavings as one of three.
#![cfg(loom)]

#[expect(dead_code, reason = "these models ask for less than the others")]
#[path = "../checker/mod.rs"]
mod checker;
mod freed;
mod giving_up;
mod hand_over;
mod queue;
mod releases;
mod scene;
mod told;

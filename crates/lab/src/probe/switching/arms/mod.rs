//! Ways to hand over: each wakes the other thread by a different kernel mechanism.

mod condvar;
mod descriptor;
mod futex;
mod list;
mod signal;

pub(super) use futex::FutexWords;
pub(super) use list::{arms, eventfd};

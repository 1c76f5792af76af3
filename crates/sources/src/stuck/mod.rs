//! `hang`: one look at a process that makes no progress, or at its core file.
//!
//! - `whom`: the process, and whether it can be looked at. `threads`: its threads, as /proc shows them.
//! - `stop`, `registers`: stops a thread and reads its registers. `space`: memory, and stacks walked in it.
//! - `called`: the function by which a thread entered the C library. `core`: the same of a core file.
//! - `call`, `wait`: what a thread waits for; `numbers`: system calls of aarch64. `object`: who holds it, by its own memory; `substituted`: under
//!   `locktoll try`. `recorded`: by a recording in progress.
//! - `described`: what was seen, with names; `locks`: the objects in it. `graph`: who waits for whom, deadlocks and chains; pure.
//! - `present`: the calls of chosen threads at this moment, for alerts.
//! - `look`: the first look at all threads; `again`: the second look, which confirms waits; `whole`: the result.

mod again;
mod call;
mod called;
mod core;
mod described;
mod facts;
mod graph;
mod locks;
mod look;
mod numbers;
mod object;
mod present;
mod recorded;
mod registers;
mod space;
mod stop;
mod substituted;
mod threads;
mod wait;
mod whole;
mod whom;

pub use present::{AwaitedLock, Calls, Present, Sight};
pub use whole::{Looker, look_at_core};
pub use whom::{NotLooked, Whom};

//! The timeline of a profile: what its formats have in common.
//!
//! - `by_thread`: the events of each thread. `wanted`: the locks whose events are shown.

mod by_thread;
mod wanted;

pub use by_thread::{ByThread, Interval};
pub use wanted::{Wanted, needs_a_timeline};

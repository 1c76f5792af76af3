//! A wait, from its beginning to its end: its length, its parts, and the sites that caused it.
//!
//! The length of each wait is always recorded. The rest takes longer to find out (the stack, the blame, the split). If a
//! thread has few waits at one place, this is done for all of them. If there are very many, it is done for a random eighth,
//! and each of these counts as eight. Short waits come by the hundred thousand. The additional time, before the thread sleeps
//! and after it has the lock, would change how threads compete for the lock.
//!
//! - `course`: the wait itself;
//! - `holder`: the current holder of a lock;
//! - `sample`: the choice of the waits that are examined;
//! - `relock`: the mutex after a wait for a condition.

mod course;
mod holder;
mod relock;
mod sample;

pub use course::Wait;
pub use relock::relock;

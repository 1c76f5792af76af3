//! A wait, from its beginning to its end: how long, what it consisted of, and whose doing it was.
//!
//! How long each wait was is always entered. What takes longer to find out (the stack, the blame, the split) is found out for
//! all waits of a thread at one place as long as they are few; of very many, for one in eight, by chance, and it
//! counts for as many. Short waits come by the hundred thousand, and the time it takes, before the thread sleeps and after it
//! has the lock, would change how threads compete for it.
//!
//! - `course`: the wait itself;
//! - `holder`: who holds a lock now;
//! - `sample`: which waits are looked into;
//! - `relock`: the mutex after a wait for a condition.

mod course;
mod holder;
mod relock;
mod sample;

pub use course::Wait;
pub use relock::relock;

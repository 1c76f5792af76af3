//! `pthread_rwlock_t`, implemented with the reader-writer lock that parks.
//!
//! Readers stay parallel under every candidate. The candidate decides how a thread waits ([`crate::waiting`]). The program
//! decides who goes first when it initialises the lock, as with the C library's own: readers overtake waiting writers, unless
//! the kind is `PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP`. (`PTHREAD_RWLOCK_PREFER_WRITER_NP` also lets them overtake,
//! since a thread may read again while it reads.)
//!
//! A mutual-exclusion lock in the place of a reader-writer lock would deadlock programs whose readers wait for one another,
//! and none of the candidates' own algorithms has a form for readers that fits here. So all of them share this one, except the
//! gate: it works with the C library's own mutexes, and a program that is tried with it keeps the C library's own
//! reader-writer locks.

mod deadline;
mod lifetime;
mod names;
mod object;
mod only;
mod owner;
mod read;
mod release;
mod replace;
mod settled;
#[cfg(test)]
mod tests;
mod write;

pub(crate) use names::rwlock_names;
pub use only::replace_only;
pub use replace::{leave, replace};

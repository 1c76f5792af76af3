//! Speeds up the holds of chosen locks virtually, for `locktoll whatif --fast`.
//!
//! `LOCKTOLL_LOCK=speed-up:P` makes the holds of the locks that `LOCKTOLL_ONLY` names (of all locks, without it) P per cent shorter, in
//! effect: while one of them is held, every other running thread of the process is delayed by P per cent of that time. The program
//! then runs as it would with shorter holds, except that the delays take time too. This library adds up the delays
//! ([`Tally::saved_ns`](crate::tally::Tally::saved_ns)), and `locktoll` subtracts them from the time that the program took.
//!
//! The idea is that of coz (C. Curtsinger and E. Berger, "Coz: Finding Code that Counts with Causal Profiling", SOSP 2015). coz samples
//! the program by signals; here each hold is known exactly, and no signal is used.
//!
//! | file | contents |
//! |---|---|
//! | `request` | the language of `speed-up:P` |
//! | `saved` | the time that all holds of this process have saved so far, in one word |
//! | `slot` | the holds that save time right now, one slot per thread |
//! | `account` | what the calling thread has paid, and its holds |
//! | `pause` | how a thread pays |
//! | `crowd` | whether threads compete for the CPUs |
//! | `ending` | the last payment of a thread |
//! | `signalled` | what had been saved when a condition was signalled |
//! | `rwlock` | reader-writer locks |
//! | `around` | semaphores, barriers, and waits for the end of a thread |
//!
//! The mutex itself is `in_place::SpedUp`.
//!
//! # How a thread is delayed
//!
//! *Saved* time grows while chosen locks are held, by P per cent of the time, for each thread that holds one. A thread *pays*: it pauses
//! until its pauses, together with the time that its own holds have saved, are as long as all saved time. It pays before it acquires
//! or releases a lock, signals or waits for a condition, and ends.
//!
//! A thread that sleeps until another thread wakes it need not pay what was saved by then, since its waker has paid for both. It
//! does pay for the time that the kernel takes to wake it, before it tries to acquire a lock again.
//!
//! A thread that waits or pays while it holds a chosen lock saves nothing in the meantime: its hold consists of its own work and sleep.
//!
//! # Invariants
//!
//! - **V1** The lower bits of the word in `saved` are the number of slots in the state `SAVING`. Whoever changes a slot from or to
//!   that state changes the word.
//! - **V2** Only the thread of an account uses it, and not while it is already using it: not in a signal handler that has interrupted it
//!   there.

#[cfg(any(test, feature = "interpose"))]
mod account;
#[cfg(any(test, feature = "interpose"))]
mod around;
#[cfg(any(test, feature = "interpose"))]
mod crowd;
#[cfg(any(test, feature = "interpose"))]
mod ending;
#[cfg(any(test, feature = "interpose"))]
mod pause;
pub mod request;
#[cfg(any(test, feature = "interpose"))]
mod rwlock;
#[cfg(any(test, feature = "interpose"))]
mod saved;
#[cfg(any(test, feature = "interpose"))]
mod signalled;
#[cfg(any(test, feature = "interpose"))]
mod slot;
#[cfg(any(test, feature = "interpose"))]
mod start;

#[cfg(any(test, feature = "interpose"))]
pub use {
    account::{begin, end, pay, saved_by_now, suspend, woken},
    saved::Saved,
    signalled::{note as signalling, waited},
    start::{is_on, start},
};

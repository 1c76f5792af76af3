//! Lock algorithms, one file per lock, to be used and to be read.
//!
//! ```
//! use locktoll_locks::{Mutex, Tollgate};
//!
//! static COUNT: Mutex<Tollgate, u64> = Mutex::new(0);
//! *COUNT.lock() += 1;
//! assert_eq!(*COUNT.lock(), 1);
//! ```
//!
//! [`Tollgate`] is a blocking mutex for everyday use. All locks implement the traits of [`lock_api`], whose guards, [`Mutex`]
//! and [`RwLock`] are re-exported here: to use another lock, change the first parameter. The file of each lock names the
//! lock's source, and has a table of its states, and numbered invariants that the comments on `unsafe` and on memory orderings
//! cite.
//!
//! | family | locks | waiting | order |
//! |---|---|---|---|
//! | test-and-set | [`Tas`], [`Cas`], [`Ttas`] | spins | none |
//! | with back-off | [`TtasCapped`] (yields), [`TtasBackoff`] (exponential), [`TtasBackoffYield`] (yields) | spins | none |
//! | tickets | [`Ticket`], [`TicketBackoff`] (proportional), [`Twa`] (waiting array) | spins | arrival |
//! | | [`TicketYield`] | spins, then yields | arrival |
//! | queues | [`Clh`], [`Mcs`] | spins | arrival |
//! | | [`McsPark`] | spins, then parks | arrival |
//! | everyday use | [`Tollgate`] | one waiter spins, the others park | arrival, overtaken for 400 us at most |
//! | futex | [`Futex2`], [`Futex3`], [`Adaptive`], [`DesignatedWaker`], [`OneSpinner`] | spins, then parks | none |
//! | | [`FutexWord`] (in four bytes) | as the caller chooses, then parks | none |
//! | kernel objects (Linux) | `SysvSemaphore`, `Eventfd`, `PipeToken` | sleeps | the kernel's |
//! | around other locks | [`Gate`] (at most K contend), [`Striped`] (many for one) | | |
//! | readers and writers | [`RwFair`] (take turns), [`RwReader`] (readers first), [`RwPark`] (either first; deadlines) | spins, then yields or parks | |
//! | waiting for a change | [`Condition`], with any lock | parks | arrival |
//! | sequence | [`SeqLock`], [`SeqCell`] | readers retry | |
//!
//! Which one to use? Measure it with the program `locktoll` (`bench`, `try`). As a rule, use a lock that only spins only
//! if there are never more threads than CPUs.
//!
//! # Units of spinning
//!
//! A length of spinning (`with_spin`) is in units of [`SPIN_UNIT_NS`] nanoseconds. It is measured with the processor's clock,
//! and not by counting pause instructions, whose length differs by a factor of 14 between processors.
//!
//! # Without the standard library
//!
//! The crate is always `no_std`. The feature `std` (on by default) adds per-thread caches of queue nodes, and with them
//! [`Clh`], [`Mcs`] and [`McsPark`]. Without it, [`ClhQueue`], [`McsQueue`] and [`McsParkQueue`] take their nodes from the
//! caller.
//!
//! # Linux and Windows
//!
//! Threads sleep with futex(2) on Linux and with WaitOnAddress on Windows (8 and later). Only the module `system` depends on
//! the difference. The locks are the same, with these exceptions:
//!
//! | | Linux | Windows |
//! |---|---|---|
//! | [`Tollgate`] is released by | a store, on x86-64 (rseq(2)); otherwise an exchange | an exchange |
//! | a sleep until a [`Deadline`] overruns it by | some 50 us | a tick of the timer: 0.5 to 15.6 ms |
//! | locks that are kernel objects, and the functions for C | exist | do not exist |
//!
//! # Waiting until a deadline, and after a fork
//!
//! [`TimedLock`] is implemented by locks that stop waiting at a [`Deadline`]. [`ForkLock`] is implemented by locks that can
//! still be used in the child of a fork, where their waiters do not exist.
//!
//! # From C
//!
//! `cargo xtask install-c PREFIX` installs a C library of [`Tollgate`] and [`Condition`]: `include/locktoll.h`, and
//! `locktoll.hpp` for C++. The feature `c-api` exports all locks by name, for programs that compare them:
//! `include/locktoll_locks.h`.
//!
//! # Designs that are left out
//!
//! Some published designs are, or may be, covered by patents in force, and are left out on purpose: generic concurrency
//! restriction (GCR), Malthusian locks, reciprocating locks, the K42 variant of MCS, and waiting-array schemes beyond the
//! variant of TWA that was published in 2019. [`Gate`] restricts concurrency with a plain semaphore, a much older method.
#![no_std]
#[cfg(feature = "std")]
extern crate std;

mod adaptive;
mod backoff;
#[cfg(all(feature = "c-library", target_os = "linux", not(loom)))]
pub mod c_api;
mod cas;
#[cfg(all(not(loom), target_has_atomic = "64"))]
pub mod catalogue;
mod clh;
mod clock;
mod condition;
#[cfg(not(loom))]
mod deadline;
mod designated_waker;
mod each;
mod futex2;
mod futex3;
mod futex_word;
mod gate;
mod gate_places;
#[cfg(all(target_os = "linux", not(loom)))]
mod kernel;
mod mcs;
mod mcs_park;
#[cfg(all(feature = "std", not(loom)))]
mod node_cache;
mod one_spinner;
mod padded;
mod park;
mod queue_node;
mod raw;
mod raw_fork;
mod raw_rw;
mod raw_timed;
mod rw_fair;
#[cfg(any(loom, target_has_atomic = "64"))]
mod rw_park;
mod rw_reader;
#[cfg(not(loom))]
mod seq_cell;
mod seqlock;
mod striped;
mod sync;
#[cfg(not(loom))]
mod system;
mod tas;
mod ticket;
mod ticket_backoff;
mod ticket_yield;
#[cfg(any(loom, target_has_atomic = "64"))]
mod tollgate;
mod ttas;
mod ttas_backoff;
mod ttas_backoff_yield;
mod ttas_capped;
mod twa;
mod waiter;

pub use adaptive::Adaptive;
pub use backoff::Waiting;
pub use cas::Cas;
pub use clh::ClhQueue;
pub use clock::SPIN_UNIT_NS;
pub use condition::Condition;
#[cfg(not(loom))]
pub use deadline::Deadline;
pub use designated_waker::DesignatedWaker;
pub use futex_word::FutexWord;
pub use futex2::Futex2;
pub use futex3::Futex3;
pub use gate::Gate;
pub use gate_places::{GatePlaces, Leaving};
#[cfg(all(target_os = "linux", not(loom)))]
pub use kernel::{Errno, Eventfd, PipeToken, SysvSemaphore};
pub use mcs::McsQueue;
pub use mcs_park::McsParkQueue;
pub use one_spinner::OneSpinner;
pub use padded::CachePadded;
pub use queue_node::QueueNode;
pub use raw::RawLock;
pub use raw_fork::ForkLock;
pub use raw_rw::RawRw;
pub use raw_timed::{TimedLock, try_with_naps};
pub use rw_fair::RwFair;
#[cfg(any(loom, target_has_atomic = "64"))]
pub use rw_park::{NotAcquired, Preference, RwPark};
pub use rw_reader::RwReader;
#[cfg(not(loom))]
pub use seq_cell::{Plain, SeqCell};
pub use seqlock::{SeqLock, SeqLockWriting};
pub use striped::Striped;
#[cfg(not(loom))]
pub use system::DeadlineClock;
#[cfg(all(target_os = "linux", not(loom)))]
pub use system::{nap, wait_by_futex_alone, yield_now};
pub use tas::Tas;
pub use ticket::Ticket;
pub use ticket_backoff::TicketBackoff;
pub use ticket_yield::TicketYield;
#[cfg(loom)]
pub use tollgate::Place;
#[cfg(any(loom, target_has_atomic = "64"))]
pub use tollgate::Tollgate;
pub use ttas::Ttas;
pub use ttas_backoff::TtasBackoff;
pub use ttas_backoff_yield::TtasBackoffYield;
pub use ttas_capped::TtasCapped;
pub use twa::Twa;
pub use waiter::{Waiter, Woken};

#[cfg(all(feature = "std", not(loom)))]
pub use {clh::Clh, mcs::Mcs, mcs_park::McsPark};

pub use lock_api::{
    self, MappedMutexGuard, MappedRwLockReadGuard, MappedRwLockWriteGuard, Mutex, MutexGuard,
    RwLock, RwLockReadGuard, RwLockWriteGuard,
};

#[cfg(loom)]
pub use sync::{Deadline, Mutation, Site};

//! Lock algorithms, one file per lock, to compare and to read.
//!
//! ```
//! use locktoll_locks::{Mutex, Ticket};
//!
//! static COUNT: Mutex<Ticket, u64> = Mutex::new(0);
//! *COUNT.lock() += 1;
//! assert_eq!(*COUNT.lock(), 1);
//! ```
//!
//! A program that needs a mutex and does not want to choose depends on the crate [`tollgate`], whose lock is
//! [`Tollgate`] here. This crate is for those who compare locks, or learn from them. The locks implement the traits of
//! [`lock_api`], whose guards, [`Mutex`] and [`RwLock`] are re-exported here: to use another lock, change the first
//! parameter. Exceptions are the sequence locks, [`Striped`], and the locks that need an argument at each call
//! ([`FutexWord`], and queues with explicit nodes).
//!
//! The module of each lock names the lock's source, and has a table of its states, and numbered invariants. The
//! comments on `unsafe` and on memory orderings in the source code cite these invariants.
//!
//! | family | locks | waiting | order |
//! |---|---|---|---|
//! | test-and-set | [`Tas`], [`Cas`], [`Ttas`] | spins | none |
//! | with back-off | [`TtasCapped`] (yields), [`TtasBackoff`] (exponential), [`TtasBackoffYield`] (yields) | spins | none |
//! | tickets | [`Ticket`], [`TicketBackoff`] (proportional), [`Twa`] (waiting array) | spins | arrival |
//! | | [`TicketYield`] | spins, then yields | arrival |
//! | queues | [`Clh`], [`Mcs`] | spins | arrival |
//! | | [`McsPark`] | spins, then parks | arrival |
//! | everyday use | [`Tollgate`] | one waiter spins, the others park | arrival; the first waiter is overtaken for 400 us |
//! | futex | [`Futex2`], [`Futex3`], [`Adaptive`], [`DesignatedWaker`], [`OneSpinner`] | spins, then parks | none |
//! | | [`FutexWord`] (in four bytes) | as the caller chooses, then parks | none |
//! | kernel objects (Linux) | `SysvSemaphore`, `Eventfd`, `PipeToken` | sleeps | the kernel's |
//! | around other locks | [`Gate`] (at most K contend), [`Striped`] (many for one) | | |
//! | readers and writers | [`RwFair`] (take turns), [`RwReader`] (readers first), [`RwPark`] (either first; deadlines) | spins, then yields or parks | |
//! | waiting for a change | [`Condition`], with any lock | parks | arrival |
//! | sequence | [`SeqLock`], [`SeqCell`] | readers retry | |
//!
//! Which one to use? [`Tollgate`], unless a measurement with the program `locktoll` (`bench`, `try`) shows that another lock is
//! faster. Use a lock that only spins only if there are never more threads than CPUs, and no holder blocks.
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
//! Threads sleep with futex(2) on Linux and with WaitOnAddress on Windows (8 and later). Only the module
//! [`system`](locktoll_waiting::system) of `locktoll-waiting` depends on the difference. The locks are the same, with
//! these exceptions:
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
//! On Linux, the feature `c-api` exports the locks of the [`catalogue`] by name, for programs that compare them:
//! `include/locktoll_locks.h`. The C library of [`Tollgate`] alone is part of the crate [`tollgate`].
//!
//! # Designs that are left out
//!
//! Some published designs are, or may be, covered by patents in force, and are left out on purpose: generic concurrency
//! restriction (GCR), Malthusian locks, reciprocating locks, the K42 variant of MCS, and waiting-array schemes beyond the
//! variant of TWA that was published in 2019. [`Gate`] restricts concurrency with a plain semaphore, a much older method.
#![no_std]
#[cfg(feature = "std")]
extern crate std;

pub mod adaptive;
#[cfg(all(feature = "c-api", target_os = "linux", not(locktoll_loom)))]
pub mod by_name;
pub mod cas;
#[cfg(all(not(locktoll_loom), target_has_atomic = "64"))]
pub mod catalogue;
pub mod clh;
pub mod designated_waker;
mod each;
pub mod futex2;
pub mod futex3;
pub mod futex_word;
pub mod gate;
pub mod gate_places;
#[cfg(all(target_os = "linux", not(locktoll_loom)))]
pub mod kernel;
pub mod mcs;
pub mod mcs_park;
#[cfg(all(feature = "std", not(locktoll_loom)))]
mod node_cache;
pub mod one_spinner;
mod padded;
mod queue_node;
mod raw;
mod raw_rw;
pub mod rw_fair;
#[cfg(any(locktoll_loom, target_has_atomic = "64"))]
pub mod rw_park;
pub mod rw_reader;
#[cfg(not(locktoll_loom))]
pub mod seq_cell;
pub mod seqlock;
pub mod striped;
pub mod tas;
pub mod ticket;
pub mod ticket_backoff;
pub mod ticket_yield;
pub mod ttas;
pub mod ttas_backoff;
pub mod ttas_backoff_yield;
pub mod ttas_capped;
pub mod twa;

pub use adaptive::Adaptive;
pub use cas::Cas;
pub use clh::ClhQueue;
pub use designated_waker::DesignatedWaker;
pub use futex_word::FutexWord;
pub use futex2::Futex2;
pub use futex3::Futex3;
pub use gate::Gate;
pub use gate_places::{GatePlaces, Leaving};
#[cfg(all(target_os = "linux", not(locktoll_loom)))]
pub use kernel::{Eventfd, PipeToken, Refused, SysvSemaphore};
pub use mcs::McsQueue;
pub use mcs_park::McsParkQueue;
pub use one_spinner::OneSpinner;
pub use padded::CachePadded;
pub use queue_node::QueueNode;
pub use raw_rw::RawRw;
pub use rw_fair::RwFair;
#[cfg(any(locktoll_loom, target_has_atomic = "64"))]
pub use rw_park::{NotAcquired, Preference, RwPark};
pub use rw_reader::RwReader;
#[cfg(not(locktoll_loom))]
pub use seq_cell::{Plain, SeqCell};
pub use seqlock::{SeqLock, SeqLockWriting};
pub use striped::Striped;
pub use tas::Tas;
pub use ticket::Ticket;
pub use ticket_backoff::TicketBackoff;
pub use ticket_yield::TicketYield;
pub use ttas::Ttas;
pub use ttas_backoff::TtasBackoff;
pub use ttas_backoff_yield::TtasBackoffYield;
pub use ttas_capped::TtasCapped;
pub use twa::Twa;

#[cfg(all(feature = "std", not(locktoll_loom)))]
pub use {clh::Clh, mcs::Mcs, mcs_park::McsPark};

pub use lock_api::{
    self, MappedMutexGuard, MappedRwLockReadGuard, MappedRwLockWriteGuard, Mutex, MutexGuard,
    RwLock, RwLockReadGuard, RwLockWriteGuard,
};

#[cfg(not(locktoll_loom))]
pub use locktoll_waiting::DeadlineClock;
pub use locktoll_waiting::backoff::Waiting;
pub use locktoll_waiting::clock::SPIN_UNIT_NS;
pub use locktoll_waiting::park::Futex;
#[cfg(locktoll_loom)]
pub use locktoll_waiting::sync::{Mutation, Site};
#[cfg(all(target_os = "linux", not(locktoll_loom)))]
pub use locktoll_waiting::system::{is_by_futex_alone, nap, wait_by_futex_alone, yield_now};
pub use locktoll_waiting::{
    Condition, Deadline, ForkLock, RawLock, TimedLock, Waiter, Woken, try_with_naps,
};
#[cfg(any(locktoll_loom, target_has_atomic = "64"))]
pub use tollgate::RawMutex as Tollgate;

use locktoll_waiting::{backoff, park, sync};

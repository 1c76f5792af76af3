//! Probes: the prices of the parts of locking on this machine, each checked against the kernel's own counts.
//!
//! [`measure`] runs them all. Each probe has a formula, and those that enter the kernel have a number of context switches that
//! they must make; if the kernel's count differs by more than 2 %, there is a reason instead of a figure. Batches of all probes
//! are short and interleaved in a new random order each round, and differences are taken round by round.
//!
//! ```no_run
//! use locktoll_lab::machine::Machine;
//! use locktoll_lab::probe::{Plan, measure};
//!
//! let prices = measure(&Plan::quick(), &Machine::observe(), &mut ());
//! for part in &prices.parts {
//!     match (&part.value, &part.refused) {
//!         (Some(ns), _) => println!("{}: {:.0} ns", part.title, ns.median),
//!         (None, reason) => println!("{}: {}", part.title, reason.as_deref().unwrap_or("-")),
//!     }
//! }
//! ```

#[cfg(target_os = "linux")]
mod child;
mod count;
#[cfg(target_os = "linux")]
mod counters;
mod gate;
mod interleave;
#[cfg(target_os = "linux")]
mod java;
pub mod locks;
mod measure;
mod memory;
mod migration;
mod paired;
mod park_misses;
#[cfg(target_os = "linux")]
mod parks;
mod part;
mod ping_pong;
mod prices;
#[cfg(target_os = "linux")]
mod refill;
mod scheduling;
mod sections;
mod series;
mod session;
mod solo;
mod split;
mod switch;
#[cfg(target_os = "linux")]
mod switching;
mod transfer;
#[cfg(windows)]
mod windows;

#[cfg(target_os = "linux")]
pub use counters::hardware_counter;
pub use measure::{Plan, Watcher, measure};
pub use park_misses::{AccessScale, MissesFoundBy, ParkMisses};
pub use prices::{
    Arm, Counters, Decomposition, Found, Group, HandOver, Java, LockPrice, Part, Prices, Refill,
    RefillKind, Scheduling, Share, Switches, Transfers,
};
pub use scheduling::real_time_refused;

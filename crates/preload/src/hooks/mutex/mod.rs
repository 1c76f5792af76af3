//! Hooks around the functions of mutexes.
//!
//! - `lock`: the function that waits, from the first attempt to the end of the wait;
//! - `plain`: acquiring a free mutex of the default kind without a call;
//! - `attempt`: trying, with and without a wait until a deadline;
//! - `release`: unlocking, and whether another thread is admitted;
//! - `object`: the words of a mutex, and its initialisation.

mod attempt;
mod lock;
mod object;
mod plain;
mod release;

#[cfg(not(test))]
pub use attempt::clocklock;
pub use attempt::{timedlock, trylock};
pub use lock::lock;
#[cfg(not(test))]
pub use object::init;
pub use release::{is_released_to_somebody, unlock};

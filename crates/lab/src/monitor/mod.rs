//! Condition variables with their mutexes (a monitor: C. A. R. Hoare, 1974), measured by two loops.
//!
//! [`Monitor`] is the interface that the loops need. [`ping_pong`] times a hand-over between two threads. [`broadcast`] times how
//! long it takes until many waiters have all been woken and have had the mutex. [`race`] runs all monitors of this build once, in
//! random order.
//!
//! ```
//! use locktoll_lab::monitor::{Lengths, race};
//!
//! let lengths = Lengths { hand_overs: 100, broadcasts: 0, waiters: 0 };
//! for result in race(1, lengths) {
//!     assert!(result.ping_pong_ns.unwrap() > 0.0, "{}", result.lock);
//! }
//! ```

mod broadcast;
mod ours;
mod ping_pong;
#[cfg(target_os = "linux")]
mod posix;
mod race;
mod rust;
#[cfg(windows)]
mod srw;
mod traits;

#[cfg(test)]
mod tests;

/// The system's own monitor.
#[cfg(target_os = "linux")]
use posix as system;
#[cfg(windows)]
use srw as system;

pub use broadcast::broadcast;
pub use ping_pong::ping_pong;
pub use race::{Lengths, Raced, race};
pub use traits::{Monitor, Side};

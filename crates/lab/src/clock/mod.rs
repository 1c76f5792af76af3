//! Reading time, and spending it.
//!
//! [`Clock`] reads the cheapest trustworthy counter of the processor and knows the cost of a reading; [`Work`] spends a given
//! time in pure arithmetic.
//!
//! ```
//! use locktoll_lab::clock::Clock;
//!
//! let clock = Clock::get();
//! let start = clock.now();
//! let elapsed_ns = clock.ns(clock.now() - start);
//! assert!(elapsed_ns >= 0.0);
//! ```

mod calibrate;
mod counter;
mod rate;
mod trust;
mod work;

pub use calibrate::{Clock, ClockCard};
pub use counter::Source;
pub use work::{Work, spin};

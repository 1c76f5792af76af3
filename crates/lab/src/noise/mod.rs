//! Other activity during a measurement: stolen time, other processes, a quota that stopped the program.
//!
//! ```
//! use locktoll_lab::noise::Watch;
//!
//! let watch = Watch::start();
//! // ... measure ...
//! for warning in watch.finish().warnings {
//!     eprintln!("warning: {warning}");
//! }
//! ```

mod watch;

pub use watch::{Noise, Watch};

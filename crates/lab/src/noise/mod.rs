//! What else went on while measuring: stolen time, other processes, a quota that bit.
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

mod reading;
mod watch;

pub(crate) use reading::{CpuTime, Reading};
pub use watch::{Noise, Watch};

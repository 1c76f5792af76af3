//! `kernel`: waits for the kernel's own locks, by kind of lock, caller, lock and CPU.
//!
//! [`Watch`] owns the kernel's programs and reads their maps into [`Gathered`]; [`Symbols`] has the names of the kernel's
//! functions and variables; [`Summary`] makes the result from both. [`SpinSlowPath`] sees more waits for spin locks, where the kernel
//! lets programs at its functions.

mod callers;
mod gathered;
mod raw;
mod slow_path;
mod summary;
mod symbols;
mod waits;
mod watch;

pub use gathered::Gathered;
pub use slow_path::SpinSlowPath;
pub use summary::Summary;
pub use symbols::Symbols;
pub use watch::{Waiters, Wanted, Watch};

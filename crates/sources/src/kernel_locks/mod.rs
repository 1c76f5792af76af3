//! `kernel`: waits for the kernel's own locks, by kind of lock, caller, lock and processor.
//!
//! [`Watch`] keeps the kernel's programs and reads their maps into [`Gathered`]; [`Symbols`] knows the names of the kernel's functions and
//! variables; [`Summary`] makes of both what people read.

mod callers;
mod gathered;
mod raw;
mod summary;
mod symbols;
mod waits;
mod watch;

pub use gathered::Gathered;
pub use summary::Summary;
pub use symbols::Symbols;
pub use watch::{Wanted, Watch};

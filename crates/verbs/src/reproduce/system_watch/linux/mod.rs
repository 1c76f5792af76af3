//! The watch on Linux, with `/proc` and with programs in the kernel.

mod counted;
mod kernel;
mod look;

pub use counted::SwitchCounter;
pub use kernel::{acquisitions, build, carry_out};
pub use look::look_twice;

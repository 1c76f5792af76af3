//! The guest on Linux.
//!
//! - `found`: the emulator, and a kernel image to boot.
//! - `archive`, `libraries`, `image`: the initial file system.
//! - `message`: what host and guest say to each other.
//! - `emulator`: the emulator's process, and the conversation with the guest.
//! - `busy_loops`: the load on the host. `carry_out`: the rounds.
//! - `inside`: the guest's side.

mod archive;
mod busy_loops;
mod carry_out;
mod emulator;
mod found;
mod image;
mod inside;
mod libraries;
mod message;

pub use carry_out::carry_out;
pub use found::check_image;
pub use inside::serve;

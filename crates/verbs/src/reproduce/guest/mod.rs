//! A guest: a virtual machine without hardware support (QEMU's emulator), whose kernel's spin locks are watched while the host is
//! idle and busy in turn.
//!
//! The host makes an initial file system of this program and its libraries, and boots a kernel image of a distribution with it. In
//! the guest, this program is the first process ([`serve`]). It runs a round of a build under the watch of the kernel's spin locks
//! whenever the host asks for one over the serial line. So the host decides what it does itself during each round, and both kinds
//! of rounds alternate within one boot.
//!
//! The emulator needs no privileges, and only the guest's kernel is watched. The emulator is the one of x86-64, and so is the guest.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(windows)]
mod windows;

#[cfg(target_os = "linux")]
pub use linux::{carry_out, check_image, serve};
#[cfg(windows)]
pub use windows::{carry_out, check_image};

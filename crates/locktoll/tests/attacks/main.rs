//! Attacks from an ordinary user's process on the programs that examine other users' processes. Most of them made an earlier
//! version that root ran hang, crash or run out of memory.
//!
//! If this user may not watch the kernel, or is not root although the test needs another user, tests are skipped.
#![cfg(target_os = "linux")]

#[expect(
    dead_code,
    reason = "shared with the tests of `record`, which use all of it"
)]
#[path = "../record/bench.rs"]
mod bench;
mod command_line;
#[cfg(target_arch = "x86_64")]
mod crafted;
mod crowd;
#[cfg(target_arch = "x86_64")]
mod libraries;
#[cfg(target_arch = "x86_64")]
mod library;
#[cfg(target_arch = "x86_64")]
mod names_of_code;
mod stuck;
mod target;
#[expect(
    dead_code,
    reason = "shared with the tests of `top`, which use all of it"
)]
#[path = "../top/terminal.rs"]
mod terminal;
mod traps;

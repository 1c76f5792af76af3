//! Kernel settings, mounts and the kernel's command line.

use crate::diagnosis::Reading;
use locktoll_results::doctor::{Remedy, Where};

/// Returns the command as root or another user types it.
pub fn as_root(reading: &Reading, command: &str) -> String {
    match reading.is_root() && !reading.in_user_namespace() {
        true => command.to_owned(),
        false => format!("sudo {command}"),
    }
}

/// Returns a command for root on the host: containers show the kernel's settings but cannot write them.
pub fn setting(reading: &Reading, command: &str) -> Remedy {
    match reading.container().is_some() || reading.in_user_namespace() {
        true => Remedy::command(Where::Outside, format!("sudo {command}")).note("on the host"),
        false => Remedy::here(as_root(reading, command)),
    }
}

/// Returns `sysctl -w NAME=VALUE`.
pub fn sysctl(reading: &Reading, name: &str, value: &str) -> Remedy {
    setting(reading, &format!("sysctl -w {name}={value}"))
}

/// Returns the advice to boot with these words on the kernel's command line.
pub fn boot_with(words: &str) -> Remedy {
    Remedy::words(
        Where::Boot,
        format!("boot the kernel with {words} on its command line"),
    )
}

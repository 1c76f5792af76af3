//! An interface for the fuzz targets alone: /proc's data about a process, with any contents.

use super::{lives, subject};

/// /proc/PID/status and /proc/PID/stat.
pub fn status_and_stat(text: &str) {
    for name in ["Name", "State", "Tgid", "NSpid", "PPid", "Uid", "VmSize"] {
        let value = subject::field(text, name);
        assert!(value.is_none_or(|value| !value.contains('\n')));
    }
    let _ = subject::has_ended(text);
    lives::fuzzed(text);
}

/// /proc/PID/cmdline.
pub fn command_line(bytes: &[u8]) -> Vec<String> {
    subject::words(bytes, "name")
}

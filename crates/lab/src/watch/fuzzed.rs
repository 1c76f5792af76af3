//! A door for the fuzz targets alone (`tests/hostile`): what /proc says of a process and its threads, whatever it says. Nothing
//! else may use it, and it may change at any time.

use super::process::ProcessTotals;
use super::thread;
use super::wait;

/// /proc/PID/stat, and of its threads status, schedstat, sched and syscall.
pub fn proc_files(text: &str) {
    let _ = ProcessTotals::parse(text);
    thread::fuzzed(text);
    wait::fuzzed(text);
}

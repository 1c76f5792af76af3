//! An interface only for the fuzz targets (`tests/hostile`): the readers of /proc's files about a process and its threads, for
//! any contents. No other code may use it, and it may change at any time.

use super::process::ProcessTotals;
use super::thread;
use super::wait;

/// Reads /proc/PID/stat, and the threads' status, schedstat, sched and syscall.
pub fn proc_files(text: &str) {
    let _ = ProcessTotals::parse(text);
    thread::fuzzed(text);
    wait::fuzzed(text);
}

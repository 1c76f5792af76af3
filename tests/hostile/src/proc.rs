//! What /proc says of processes, whose names and paths are theirs to choose.

use locktoll_lab::watch;
use locktoll_sources::futexes;

/// Takes `bytes` for each of the files.
pub fn exercise(bytes: &[u8]) {
    let lines = bytes.split(|&byte| byte == b'\n').count();
    assert!(futexes::fuzzed::maps(bytes) <= lines);
    futexes::fuzzed::proc_files(bytes);
    watch::fuzzed::proc_files(&String::from_utf8_lossy(bytes));
}

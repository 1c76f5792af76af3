//! An interface for the fuzz targets alone (`tests/hostile`): the readers of a watched process, its files and /proc. No other
//! code may use it, and it may change at any time.

use std::fs::File;

use super::before_watching;
use super::process;
use super::profile;
use super::unwind;
use crate::elf::{Loads, Variables, build_id};
use crate::mapped::Mapping;

pub use unwind::fuzzed::{frames, image};

/// The headers of a file that a process has mapped, and the names in it.
pub fn elf(file: &File, places: &[u64]) {
    unwind::fuzzed::file(file, places);
    if let Some(loads) = Loads::read(file) {
        for &place in places {
            let _ = (loads.address_of(place), loads.holds(place));
            let _ = loads.bias(place, place, place % 2 == 0);
        }
    }
    let variables = Variables::read(file);
    for &place in places {
        let found = variables.find(place);
        assert!(found.is_none_or(|it| place - it.start < it.bytes));
    }
    let _ = build_id(file);
}

/// Parses /proc/PID/maps, and returns the number of lines that were understood.
pub fn maps(text: &[u8]) -> usize {
    let mappings = Mapping::all(text);
    for mapping in &mappings {
        assert!(mapping.start <= mapping.end, "{mapping:?}");
    }
    mappings.len()
}

/// /proc/PID/status, /proc/PID/stat, /proc/PID/cmdline and /proc/PID/task/TID/syscall.
pub fn proc_files(bytes: &[u8]) {
    let text = &String::from_utf8_lossy(bytes);
    process::fuzzed::status_and_stat(text);
    before_watching::fuzzed(text);
    let words = process::fuzzed::command_line(bytes);
    assert!(!words.is_empty());
}

/// A perf map: the names of `addresses`.
pub fn perf_map(map: &[u8], addresses: &[u64]) -> Vec<(u64, String)> {
    let names = profile::perf_map_names(map, addresses.iter().copied());
    names.into_iter().collect()
}

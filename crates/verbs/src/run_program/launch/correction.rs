//! A part as its process left it, with better information from outside in place of some fields of its header.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::mem::offset_of;

use locktoll_recording::layout::{COMMAND_BYTES, Header};
use locktoll_recording::reader::Source;

use super::Ended;
use locktoll_sources::recording::PartFile;

/// Bytes to read instead of those in the file.
#[derive(Default)]
pub struct Corrections(Vec<(u64, Vec<u8>)>);

impl Corrections {
    /// Sets the command line to the one that the user typed: the process of a script knows only its interpreter's.
    pub fn command(&mut self, words: &[OsString]) {
        let mut line = Vec::new();
        for word in words {
            line.extend_from_slice(word.as_encoded_bytes());
            line.push(0);
        }
        let total = u32::try_from(line.len()).unwrap_or(u32::MAX);
        line.truncate(COMMAND_BYTES);
        self.put(
            offset_of!(Header, command_bytes),
            &(line.len() as u32).to_le_bytes(),
        );
        self.put(
            offset_of!(Header, command_total_bytes),
            &total.to_le_bytes(),
        );
        self.put(offset_of!(Header, command), &line);
    }

    /// Fills in the end of the process, where the process could not record it: it was killed or called `_exit`.
    pub fn end(&mut self, file: &PartFile, ended: &Ended) {
        if file.process.end_monotonic_ns.is_none() {
            self.number(offset_of!(Header, end_monotonic_ns), ended.monotonic_ns);
        }
        if !file.usage_known {
            let usage = &ended.usage;
            self.number(offset_of!(Header, user_ns), usage.user_ns);
            self.number(offset_of!(Header, system_ns), usage.system_ns);
            if let Some(switches) = usage.switches {
                self.number(offset_of!(Header, voluntary_switches), switches.voluntary);
                self.number(
                    offset_of!(Header, involuntary_switches),
                    switches.involuntary,
                );
            }
        }
    }

    /// Sets the resources that the command used with all processes that were waited for; some of these may not have recorded
    /// theirs.
    pub fn command_usage(&mut self, ended: &Ended) {
        let usage = &ended.whole_usage;
        for (offset, number) in [
            (offset_of!(Header, command_user_ns), usage.user_ns),
            (offset_of!(Header, command_system_ns), usage.system_ns),
            (
                offset_of!(Header, command_voluntary_switches),
                usage.switches.voluntary,
            ),
            (
                offset_of!(Header, command_involuntary_switches),
                usage.switches.involuntary,
            ),
        ] {
            self.number(offset, number);
        }
    }

    /// Sets the cost that recording adds to an uncontended acquisition and release.
    pub fn added_ps_per_pair(&mut self, added_ps: u64) {
        self.number(offset_of!(Header, added_ps_per_pair), added_ps);
    }

    fn number(&mut self, offset: usize, number: u64) {
        self.put(offset, &number.to_le_bytes());
    }

    fn put(&mut self, offset: usize, bytes: &[u8]) {
        self.0.push((offset as u64, bytes.to_vec()));
    }
}

/// A file with corrections.
pub struct Corrected {
    file: File,
    corrections: Corrections,
}

impl Corrected {
    /// Returns `file`, to be read with `corrections`.
    pub fn new(file: File, corrections: Corrections) -> Self {
        Self { file, corrections }
    }
}

impl Source for Corrected {
    fn length(&self) -> io::Result<u64> {
        self.file.length()
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let read = Source::read_at(&self.file, buffer, offset)?;
        for (start, bytes) in &self.corrections.0 {
            for (place, &byte) in (*start..).zip(bytes) {
                let index = place.checked_sub(offset).map(|index| index as usize);
                if let Some(slot) = index.and_then(|index| buffer[..read].get_mut(index)) {
                    *slot = byte;
                }
            }
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_are_read_at_their_place_wherever_reading_begins() {
        use std::io::Write;
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&[b'.'; 16]).unwrap();
        let mut corrections = Corrections::default();
        corrections.put(4, b"abcd");
        let corrected = Corrected::new(file, corrections);
        for (offset, length, expected) in [
            (0, 16, &b"....abcd........"[..]),
            (5, 2, b"bc"),
            (6, 9, b"cd......."),
            (8, 8, b"........"),
            (14, 8, b".."),
        ] {
            let mut buffer = vec![0; length];
            let read = corrected.read_at(&mut buffer, offset).unwrap();
            assert_eq!(&buffer[..read], expected, "from {offset}");
        }
    }
}

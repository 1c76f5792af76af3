//! The output of a process, in bounded memory.
//!
//! The process writes to a file in memory (memfd_create(2)), not to a pipe: no reader takes part in the measurement. Older
//! output is searched and then returned to the system while the process still runs (fallocate(2)).

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;

use rustix::fs::{FallocateFlags, MemfdFlags, OFlags, fallocate, fcntl_setfl, memfd_create};

use super::Pattern;
use locktoll_terminal::escape::shown_text;

/// The number of bytes that is searched at once, and kept at the end.
const STRETCH: u64 = 4 << 20;

/// The number of lines shown of a failure.
const SHOWN_LINES: usize = 8;

/// At most this many bytes from the end of the output are shown.
const SHOWN_BYTES: usize = 2000;

/// One output of a process.
pub struct Captured {
    file: File,
    pattern: Option<Pattern>,
    /// The last match of the pattern's group.
    found: Option<Vec<u8>>,
    /// Everything before this offset has been searched. It is the start of a line, unless a line is longer than a stretch.
    searched: u64,
}

impl Captured {
    /// Creates an empty output; everything written to it is searched for `pattern`.
    pub fn new(pattern: Option<Pattern>) -> io::Result<Self> {
        let file = memfd_create("output", MemfdFlags::CLOEXEC)?;
        // Several processes may write to it, each at its current end.
        fcntl_setfl(&file, OFlags::APPEND)?;
        Ok(Self {
            file: file.into(),
            pattern,
            found: None,
            searched: 0,
        })
    }

    /// Returns the file descriptor that the process writes to.
    pub fn writer(&self) -> io::Result<OwnedFd> {
        Ok(self.file.try_clone()?.into())
    }

    /// Searches the output and frees the part that has been searched, if it has become too long. Called while the process runs.
    pub fn relieve(&mut self) -> io::Result<()> {
        while self.length()?.saturating_sub(self.searched) > 2 * STRETCH {
            let stretch = self.read(self.searched, STRETCH)?;
            let whole_lines = stretch.iter().rposition(|&byte| byte == b'\n');
            let end = whole_lines.map_or(stretch.len(), |newline| newline + 1);
            self.search(&stretch[..end]);
            self.searched += end as u64;
            let gone = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
            fallocate(&self.file, gone, 0, self.searched)?;
        }
        Ok(())
    }

    /// Returns the last match of the pattern's group in everything written so far.
    pub fn found(&mut self) -> io::Result<Option<&[u8]>> {
        self.relieve()?;
        let rest = self.read(self.searched, u64::MAX)?;
        self.search(&rest);
        Ok(self.found.as_deref())
    }

    /// Whether the pattern has matched in everything written so far.
    pub fn matches(&mut self, pattern: &Pattern) -> io::Result<bool> {
        let rest = self.read(self.searched, u64::MAX)?;
        Ok(pattern.matches(&rest))
    }

    /// Returns the last lines, for people; `None` if nothing was written.
    pub fn last_words(&self) -> io::Result<Option<String>> {
        let start = self.length()?.saturating_sub(SHOWN_BYTES as u64);
        let end = self.read(start, u64::MAX)?;
        let text = String::from_utf8_lossy(&end);
        let lines: Vec<String> = text
            .lines()
            .map(|line| shown_text(line.trim_end()))
            .filter(|line| !line.is_empty())
            .collect();
        let from = lines.len().saturating_sub(SHOWN_LINES);
        Ok((!lines.is_empty()).then(|| lines[from..].join("\n")))
    }

    fn search(&mut self, stretch: &[u8]) {
        let found = self
            .pattern
            .as_ref()
            .and_then(|pattern| pattern.last(stretch));
        if let Some(found) = found {
            self.found = Some(found.to_vec());
        }
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    /// Reads at most `most` bytes from `start`. There are fewer if a process has truncated its output (`> /dev/stdout`).
    fn read(&self, start: u64, most: u64) -> io::Result<Vec<u8>> {
        let bytes = self.length()?.saturating_sub(start).min(most);
        let mut read = vec![0; bytes as usize];
        let mut filled = 0;
        while filled < read.len() {
            match self
                .file
                .read_at(&mut read[filled..], start + filled as u64)
            {
                Ok(0) => break,
                Ok(bytes) => filled += bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        read.truncate(filled);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::os::unix::fs::MetadataExt;

    use super::*;

    fn captured(pattern: &str) -> (Captured, File) {
        let captured = Captured::new(Some(Pattern::with_group(pattern).unwrap())).unwrap();
        let writer = captured.writer().unwrap().into();
        (captured, writer)
    }

    #[test]
    fn the_last_match_counts_and_the_last_lines_are_shown() {
        let (mut captured, mut writer) = captured(r"^rate (\d+)$");
        assert_eq!(captured.found().unwrap(), None);
        assert_eq!(captured.last_words().unwrap(), None);
        writer
            .write_all(b"rate 17\nrate 18\n\n\x1b[2Jend\nrate 19x\n")
            .unwrap();
        assert_eq!(captured.found().unwrap(), Some(&b"18"[..]));
        let said = captured.last_words().unwrap().unwrap();
        assert!(said.starts_with("rate 17\nrate 18\n") && said.ends_with("end\nrate 19x"));
        assert!(!said.contains('\x1b'));
    }

    #[test]
    fn a_long_output_is_searched_whole_and_kept_small() {
        let (mut captured, mut writer) = captured(r"^rate (\d+)$");
        writer.write_all(b"rate 1\n").unwrap();
        let line = format!("{}\n", "x".repeat(99));
        let many = line.repeat(STRETCH as usize / 100);
        for round in 2..12 {
            writer.write_all(many.as_bytes()).unwrap();
            writer
                .write_all(format!("rate {round}\nand rate 99 more\n").as_bytes())
                .unwrap();
            captured.relieve().unwrap();
        }
        writer.write_all(many.as_bytes()).unwrap();
        let held = captured.file.metadata().unwrap().blocks() * 512;
        assert!(held < 5 * STRETCH, "{held} bytes");
        assert_eq!(captured.found().unwrap(), Some(&b"11"[..]));
    }

    #[test]
    fn an_output_that_was_cut_short_is_no_error() {
        let (mut captured, mut writer) = captured(r"(\d+)");
        writer.write_all(&[b'x'; 1000]).unwrap();
        writer.set_len(0).unwrap();
        writer.write_all(b"7").unwrap();
        assert_eq!(captured.found().unwrap(), Some(&b"7"[..]));
    }
}

//! The locks that a program probably uses, inferred from the traces of its compiler.

use std::fs::File;

use locktoll_recording::reader::Source;

/// The kind of locks that a program probably uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Runtime {
    /// Go's locks, which are part of its run-time.
    Go,
    /// The locks of Rust's standard library, which call futex(2) when they have to wait.
    Rust,
    /// The same, and those of the `parking_lot` crate, whose threads each wait on their own word.
    RustParkingLot,
    /// The C library's locks, or unknown ones.
    #[default]
    Other,
}

/// How much of a section is searched.
const SEARCHED_BYTES: u64 = 32 << 20;

/// The traces found so far.
#[derive(Default)]
pub struct Traces {
    go: bool,
    rust: bool,
    parking_lot: bool,
    thread_sanitizer: bool,
}

impl Traces {
    /// Looks at the section of `file` at this offset, as far as it lies within the file.
    pub fn section(&mut self, name: &[u8], file: &File, offset: u64, bytes: u64) {
        let content = || read(file, offset, bytes);
        match name {
            b".go.buildinfo" | b".note.go.buildid" => self.go = true,
            // Every compiler that contributed to the program names itself here.
            b".comment" => self.rust |= contains(&content(), b"rustc"),
            // Names of symbols; and, in case those were stripped, paths of source files in messages.
            b".strtab" | b".dynstr" | b".rodata" => {
                let content = content();
                self.parking_lot |= contains(&content, b"parking_lot");
                if name != b".rodata" {
                    self.thread_sanitizer |= contains(&content, b"\0__tsan_init\0");
                }
            }
            _ => {}
        }
    }

    /// Returns the kind of locks that it probably uses.
    pub fn runtime(&self) -> Runtime {
        match (self.go, self.rust, self.parking_lot) {
            (true, ..) => Runtime::Go,
            (_, true, true) => Runtime::RustParkingLot,
            (_, true, false) => Runtime::Rust,
            _ => Runtime::Other,
        }
    }

    /// Whether it calls `ThreadSanitizer`.
    pub fn thread_sanitizer(&self) -> bool {
        self.thread_sanitizer
    }
}

fn read(file: &File, offset: u64, bytes: u64) -> Vec<u8> {
    // Never more than the file has: a damaged header may claim anything.
    let there = file.length().unwrap_or(0).saturating_sub(offset);
    let mut content = vec![0; bytes.min(there).min(SEARCHED_BYTES) as usize];
    let read = Source::read_at(file, &mut content, offset).unwrap_or(0);
    content.truncate(read);
    content
}

fn contains(content: &[u8], wanted: &[u8]) -> bool {
    content.windows(wanted.len()).any(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn traces(sections: &[(&[u8], &[u8])]) -> Traces {
        let mut traces = Traces::default();
        for (name, content) in sections {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(content).unwrap();
            traces.section(name, &file, 0, content.len() as u64);
        }
        traces
    }

    #[test]
    fn each_compiler_is_known_by_its_traces() {
        let comment = (
            &b".comment"[..],
            &b"GCC: (GNU) 12\0rustc version 1.95.0\0"[..],
        );
        let parking_lot = (&b".strtab"[..], &b"\0_ZN16parking_lot_core\0"[..]);
        assert_eq!(traces(&[]).runtime(), Runtime::Other);
        assert_eq!(traces(&[comment]).runtime(), Runtime::Rust);
        let both = traces(&[comment, parking_lot]);
        assert_eq!(both.runtime(), Runtime::RustParkingLot);
        assert!(!both.thread_sanitizer());
        assert_eq!(traces(&[parking_lot]).runtime(), Runtime::Other);
        assert_eq!(traces(&[(b".go.buildinfo", b"")]).runtime(), Runtime::Go);
    }

    #[test]
    fn a_sanitizer_is_known_by_the_first_function_that_programs_call_of_it() {
        let with = |names: &[u8]| traces(&[(b".dynstr", names)]).thread_sanitizer();
        assert!(with(b"\0__tsan_init\0x\0"));
        assert!(!with(b"\0my__tsan_init\0__tsan_initial\0"));
    }

    #[test]
    fn a_section_beyond_the_end_of_the_file_is_empty() {
        let file = tempfile::tempfile().unwrap();
        let mut traces = Traces::default();
        traces.section(b".comment", &file, 1 << 40, u64::MAX);
        assert_eq!(traces.runtime(), Runtime::Other);
    }
}

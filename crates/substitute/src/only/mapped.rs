//! Whether an address is at a given offset from the load address of a file: proc_pid_maps(5), read by system calls.
//!
//! Neither dl_iterate_phdr(3) nor the dynamic linker's list can be used. The first takes the linker's lock, and a thread that
//! runs a constructor may hold that lock while it waits for the very mutex in question. The second must not be read while
//! another thread loads or unloads. The kernel's list needs no lock of the process.

use core::ops::RangeInclusive;

use rustix::fs::{Mode, OFlags, open};
use rustix::io::read;

/// The number of bytes read at a time. The buffer is on the stack of the thread that takes a lock, and that stack may be
/// small.
const BUFFER_BYTES: usize = 1024;

/// Whether `address` is `offset` bytes from the start of a mapping of `path` that begins where the file does. `path` is given
/// byte by byte.
pub fn is_at(path: impl Fn(usize) -> Option<u8>, offset: u64, address: u64) -> bool {
    let start = address.wrapping_sub(offset);
    find(Search::new(path, start..=start)).is_some()
}

/// Returns where the first mapping of `path` starts that begins where the file does; `None` if the file is not mapped.
pub fn load_address(path: impl Fn(usize) -> Option<u8>) -> Option<u64> {
    find(Search::new(path, 0..=u64::MAX))
}

fn find<P: Fn(usize) -> Option<u8>>(mut search: Search<P>) -> Option<u64> {
    let maps = open(
        c"/proc/self/maps",
        OFlags::RDONLY | OFlags::CLOEXEC,
        Mode::empty(),
    )
    .ok()?;
    let mut buffer = [0; BUFFER_BYTES];
    loop {
        match read(&maps, &mut buffer) {
            Ok(0) => return None,
            Ok(count) => {
                let mut bytes = buffer[..count].iter();
                if let Some(start) = bytes.find_map(|byte| search.take(*byte)) {
                    return Some(start);
                }
            }
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return None,
        }
    }
}

/// Reads `START-END PERMISSIONS OFFSET DEVICE INODE   PATH` byte by byte.
struct Search<P> {
    path: P,
    /// Where the mapping may start.
    starts: RangeInclusive<u64>,
    /// The number of the field being read; the path is the sixth.
    field: u32,
    /// Whether the position is between two fields.
    in_gap: bool,
    /// The start of the mapping, as far as it has been read.
    start: u64,
    start_is_read: bool,
    begins_with_file: bool,
    /// The number of bytes of the path that agree.
    same: usize,
    differs: bool,
}

const OFFSET_FIELD: u32 = 2;
const PATH_FIELD: u32 = 5;

impl<P: Fn(usize) -> Option<u8>> Search<P> {
    fn new(path: P, starts: RangeInclusive<u64>) -> Self {
        Self {
            path,
            starts,
            field: 0,
            in_gap: false,
            start: 0,
            start_is_read: false,
            begins_with_file: true,
            same: 0,
            differs: false,
        }
    }

    /// Takes the next byte. Returns the start of the mapping if it ends a line that matches the search.
    fn take(&mut self, byte: u8) -> Option<u64> {
        if byte == b'\n' {
            let start = self.start;
            let is_it = self.field == PATH_FIELD
                && self.begins_with_file
                && self.starts.contains(&start)
                && !self.differs
                && (self.path)(self.same).is_none();
            self.start_line();
            return is_it.then_some(start);
        }
        if self.field < PATH_FIELD && byte == b' ' {
            self.in_gap = true;
            return None;
        }
        if core::mem::take(&mut self.in_gap) {
            self.field += 1;
        }
        match self.field {
            0 if byte == b'-' => self.start_is_read = true,
            0 if !self.start_is_read => {
                let digit = char::from(byte).to_digit(16).unwrap_or(0);
                self.start = self.start << 4 | u64::from(digit);
            }
            OFFSET_FIELD => self.begins_with_file &= byte == b'0',
            PATH_FIELD => {
                self.differs |= (self.path)(self.same) != Some(byte);
                self.same += 1;
            }
            _ => {}
        }
        None
    }

    fn start_line(&mut self) {
        self.field = 0;
        self.in_gap = false;
        self.start = 0;
        self.start_is_read = false;
        self.begins_with_file = true;
        self.same = 0;
        self.differs = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAPS: &str = "\
55d0c0a00000-55d0c0a01000 r--p 00000000 fe:01 1234                       /usr/bin/a b
55d0c0a01000-55d0c0a02000 r-xp 00001000 fe:01 1234                       /usr/bin/a b
55d0c1000000-55d0c1021000 rw-p 00000000 00:00 0                          [heap]
7f0000000000-7f0000001000 rw-p 00000000 00:00 0 
7f0000100000-7f0000101000 r--p 00000000 fe:01 99                         /lib/x.so
7f0000200000-7f0000201000 r--p 00000000 fe:01 99                         /lib/x.so
7f0000300000-7f0000301000 r--p 00000000 fe:01 98                         /lib/x.so.1
";

    fn is_loaded_at(path: &str, address: u64) -> bool {
        starts(path, address..=address) == [address]
    }

    /// Every byte is taken, as if the matching line were the last.
    fn starts(path: &str, among: RangeInclusive<u64>) -> Vec<u64> {
        let mut search = Search::new(|index| path.as_bytes().get(index).copied(), among);
        MAPS.bytes().filter_map(|byte| search.take(byte)).collect()
    }

    #[test]
    fn without_an_address_the_first_mapping_is_the_first_one_found() {
        let all = |path| starts(path, 0..=u64::MAX);
        assert_eq!(all("/usr/bin/a b"), [0x55d0_c0a0_0000]);
        assert_eq!(all("/lib/x.so"), [0x7f00_0010_0000, 0x7f00_0020_0000]);
        assert!(all("/lib/y.so").is_empty());
    }

    #[test]
    fn a_file_is_loaded_where_a_mapping_of_its_beginning_starts() {
        assert!(is_loaded_at("/usr/bin/a b", 0x55d0_c0a0_0000));
        assert!(
            !is_loaded_at("/usr/bin/a b", 0x55d0_c0a0_1000),
            "not its beginning"
        );
        assert!(!is_loaded_at("/usr/bin/a", 0x55d0_c0a0_0000));
        assert!(is_loaded_at("/lib/x.so", 0x7f00_0010_0000));
        assert!(is_loaded_at("/lib/x.so", 0x7f00_0020_0000), "mapped twice");
        assert!(!is_loaded_at("/lib/x.so", 0x7f00_0030_0000));
        assert!(
            !is_loaded_at("", 0x7f00_0000_0000),
            "anonymous memory has no path"
        );
    }

    #[test]
    fn this_very_program_is_found() {
        static HERE: u8 = 7;
        let path = std::env::current_exe().unwrap().canonicalize().unwrap();
        let path = path.as_os_str().as_encoded_bytes();
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let line = maps
            .lines()
            .find(|line| line.as_bytes().ends_with(path))
            .unwrap();
        let base = u64::from_str_radix(line.split('-').next().unwrap(), 16).unwrap();
        let address = (&raw const HERE).addr() as u64;
        let byte = |index: usize| path.get(index).copied();
        assert!(is_at(byte, address - base, address));
        assert!(!is_at(byte, address - base + 4096, address));
    }
}

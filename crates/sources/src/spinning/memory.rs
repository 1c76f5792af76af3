//! The memory of a program that runs.

use std::cell::RefCell;
use std::collections::HashMap;
use std::os::unix::fs::FileExt;
use std::rc::Rc;

use super::places::Backing;
use locktoll_loops::Code;

/// The smallest piece that is read and kept.
const PAGE: u64 = 4096;

/// Pages by address.
type Pages = RefCell<HashMap<u64, Vec<u8>>>;

/// The code and the data of a process. Pages of code are read once, until they are forgotten.
#[derive(Debug)]
pub struct Memory {
    pid: u32,
    /// Addresses of executable mappings, sorted.
    executable: Vec<(u64, u64)>,
    /// The files of code, which outlive the process.
    backing: Vec<Backing>,
    /// Pages of these files. Forked processes share them: a server may have hundreds of processes, and reading the same pages in each of
    /// them would take most of the time.
    of_files: Rc<Pages>,
    /// Pages of code that the process has made itself.
    own: Pages,
}

impl Memory {
    /// The memory of process `pid`, with these executable mappings.
    pub fn of(pid: u32, executable: Vec<(u64, u64)>) -> Self {
        Self {
            pid,
            executable,
            backing: Vec::new(),
            of_files: Rc::default(),
            own: RefCell::default(),
        }
    }

    /// The memory of process `pid`, which was forked from the one with this memory.
    pub fn forked(&self, pid: u32) -> Self {
        Self {
            of_files: Rc::clone(&self.of_files),
            ..Self::of(pid, self.executable.clone())
        }
    }

    /// Replaces the executable mappings.
    pub fn set_executable(&mut self, executable: Vec<(u64, u64)>) {
        if self.executable != executable {
            // The process alone has other mappings now.
            self.of_files = Rc::default();
            self.own.borrow_mut().clear();
            self.executable = executable;
        }
    }

    /// Replaces the files of code.
    pub fn set_backing(&mut self, backing: Vec<Backing>) {
        self.backing = backing;
    }

    /// Fills `into` from the file that is mapped at `address`, and returns how many bytes could be read.
    fn read_file(&self, address: u64, into: &mut [u8]) -> usize {
        let Some(backing) = self.backing(address) else {
            return 0;
        };
        let at = backing.offset + (address - backing.start);
        backing.file.read_at(into, at).unwrap_or(0)
    }

    /// Whether no code is known.
    pub fn is_empty(&self) -> bool {
        self.executable.is_empty()
    }

    /// Whether code may be run at `address`.
    pub fn is_code(&self, address: u64) -> bool {
        self.code_left(address) > 0
    }

    /// Returns the number of bytes of code from `address` to the end of its mapping.
    fn code_left(&self, address: u64) -> u64 {
        let after = self
            .executable
            .partition_point(|&(start, _)| start <= address);
        let last = self.executable[..after].last();
        last.map_or(0, |&(_, end)| end.saturating_sub(address))
    }

    /// Forgets the pages that were read.
    pub fn forget(&self) {
        self.of_files.borrow_mut().clear();
        self.own.borrow_mut().clear();
    }

    /// The pages among which `address` is.
    fn pages(&self, address: u64) -> &Pages {
        match self.backing(address) {
            Some(_) => &self.of_files,
            None => &self.own,
        }
    }

    /// The file that is mapped at `address`.
    fn backing(&self, address: u64) -> Option<&Backing> {
        let around = |it: &&Backing| (it.start..it.end).contains(&address);
        self.backing.iter().find(around)
    }

    /// Fills `into` from `address` on, and returns how many bytes could be read.
    pub fn read(&self, address: u64, into: &mut [u8]) -> usize {
        let here = libc::iovec {
            iov_base: into.as_mut_ptr().cast(),
            iov_len: into.len(),
        };
        let there = libc::iovec {
            iov_base: address as *mut libc::c_void,
            iov_len: into.len(),
        };
        // SAFETY: `here` describes writable bytes that live through the call; the kernel checks the other process's addresses.
        let read =
            unsafe { libc::process_vm_readv(self.pid as libc::pid_t, &here, 1, &there, 1, 0) };
        usize::try_from(read).unwrap_or(0)
    }

    /// Returns the eight bytes at `address`.
    pub fn word(&self, address: u64) -> Option<u64> {
        let mut word = [0; 8];
        (self.read(address, &mut word) == 8).then(|| u64::from_ne_bytes(word))
    }
}

impl Code for Memory {
    fn bytes(&self, address: u64, into: &mut [u8]) -> usize {
        let mut filled = 0;
        while filled < into.len() {
            let at = address.wrapping_add(filled as u64);
            let left = self.code_left(at);
            if left == 0 {
                break;
            }
            let page = at / PAGE * PAGE;
            let mut pages = self.pages(page).borrow_mut();
            let bytes = pages.entry(page).or_insert_with(|| {
                let mut bytes = vec![0; PAGE as usize];
                let read = match self.read(page, &mut bytes) {
                    0 => self.read_file(page, &mut bytes),
                    read => read,
                };
                bytes.truncate(read);
                bytes
            });
            let Some(rest) = bytes
                .get((at - page) as usize..)
                .filter(|it| !it.is_empty())
            else {
                break;
            };
            let left = usize::try_from(left).unwrap_or(usize::MAX);
            let length = rest.len().min(into.len() - filled).min(left);
            into[filled..filled + length].copy_from_slice(&rest[..length]);
            filled += length;
        }
        filled
    }

    fn data(&self, address: u64) -> Option<u64> {
        self.word(address)
    }
}

/// The memory at the time of a sample, whose stack was copied.
pub struct AtSample<'a> {
    /// The memory as it is now.
    pub memory: &'a Memory,
    /// Where the copy begins.
    pub stack_at: u64,
    /// The copy.
    pub stack: &'a [u8],
    /// The kernel's page of code.
    pub vdso: Option<(u64, u64)>,
}

impl Code for AtSample<'_> {
    fn bytes(&self, address: u64, into: &mut [u8]) -> usize {
        self.memory.bytes(address, into)
    }

    fn data(&self, address: u64) -> Option<u64> {
        let at = usize::try_from(address.wrapping_sub(self.stack_at)).ok();
        let copied = at.and_then(|at| self.stack.get(at..)?.first_chunk::<8>());
        copied.map_or_else(
            || self.memory.word(address),
            |it| Some(u64::from_ne_bytes(*it)),
        )
    }

    fn is_vdso(&self, address: u64) -> bool {
        self.vdso
            .is_some_and(|(start, end)| (start..end).contains(&address))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file that is mapped at `start`, as far as the test needs it.
    fn backed(start: u64) -> Vec<Backing> {
        let file = Rc::new(std::fs::File::open("/proc/self/exe").unwrap());
        let (end, offset) = (start + 64, 0);
        vec![Backing {
            start,
            end,
            offset,
            file,
        }]
    }

    #[test]
    fn forked_processes_share_pages_of_files_until_one_maps_something() {
        let mut data = [7_u8; 64];
        let at = data.as_ptr() as u64;
        let page = at / PAGE * PAGE;
        let mut parent = Memory::of(std::process::id(), vec![(at, at + 64)]);
        parent.set_backing(backed(page));
        let mut child = parent.forked(std::process::id());
        child.set_backing(backed(page));
        let byte = |memory: &Memory| {
            let mut byte = [0];
            assert_eq!(memory.bytes(at, &mut byte), 1);
            byte[0]
        };
        assert_eq!(byte(&parent), 7);
        data.fill(8);
        assert_eq!((byte(&parent), byte(&child)), (7, 7));
        child.set_executable(vec![(at, at + 32)]);
        assert_eq!((byte(&parent), byte(&child)), (7, 8));
        parent.forget();
        assert_eq!(byte(&parent), 8);
        // Code that a process has made is its own.
        parent.set_backing(Vec::new());
        assert_eq!(byte(&parent), 8);
        data.fill(9);
        assert_eq!(
            (byte(&parent), byte(&parent.forked(std::process::id()))),
            (8, 9)
        );
    }

    #[test]
    fn bytes_end_where_code_ends_and_a_process_that_is_gone_has_none() {
        let data = [7_u8; 64];
        let at = data.as_ptr() as u64;
        let own = Memory::of(std::process::id(), vec![(at, at + 16)]);
        let mut into = [0; 64];
        assert_eq!(own.bytes(at + 4, &mut into), 12);
        assert_eq!(into[..12], [7; 12]);
        assert_eq!(own.bytes(at + 16, &mut into), 0);
        assert_eq!(own.data(at), Some(0x0707_0707_0707_0707));
        assert_eq!(own.data(8), None);
        let gone = Memory::of(u32::MAX / 2, vec![(at, at + 16)]);
        assert_eq!(gone.bytes(at, &mut into), 0);
    }
}

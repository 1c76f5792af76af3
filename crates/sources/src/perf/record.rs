//! The records of events.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use super::registers::{MASK, Registers};
use crate::mapped::Mapping;

/// A record.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "samples are the most frequent records by far, and none is kept"
)]
pub enum Record<'a> {
    /// A sample of running code.
    Sample(Sample<'a>),
    /// A thread or a process has begun.
    Began(Task),
    /// A thread has ended.
    Ended(Task),
    /// A process runs another program.
    NewProgram {
        /// The process.
        pid: u32,
    },
    /// A process has mapped code.
    Mapped(Mapped),
    /// Records did not fit.
    Lost(Lost),
}

/// A sample of running code.
#[derive(Debug)]
pub struct Sample<'a> {
    /// The process, as this process's pid namespace numbers it.
    pub pid: u32,
    /// The thread.
    pub tid: u32,
    /// `CLOCK_MONOTONIC`, nanoseconds.
    pub time_ns: u64,
    /// Whether the kernel ran on behalf of the thread.
    pub in_kernel: bool,
    /// Whether the thread runs code of this machine's own architecture, and not that of its 32-bit one.
    pub is_native: bool,
    /// The user's registers; in the kernel those with which the thread entered it.
    pub registers: Registers,
    /// The beginning of the stack, from the stack pointer on, as far as it is there.
    pub stack: &'a [u8],
}

/// A thread that began or ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// Its process.
    pub pid: u32,
    /// The thread; equal to `pid` if it is the first of its process.
    pub tid: u32,
    /// The process that started it.
    pub parent_pid: u32,
}

/// Code that a process has mapped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapped {
    /// The process.
    pub pid: u32,
    /// The mapping.
    pub mapping: Mapping,
}

/// Records for which there was no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost {
    /// How many.
    pub records: u64,
}

/// Kinds of records, `enum perf_event_type`.
mod kind {
    pub const LOST: u32 = 2;
    pub const COMM: u32 = 3;
    pub const EXIT: u32 = 4;
    pub const FORK: u32 = 7;
    pub const SAMPLE: u32 = 9;
    pub const MMAP2: u32 = 10;
}

/// The part of a header's bits that says who ran, and its value for the user.
const MODE: u16 = 7;
const MODE_USER: u16 = 2;
/// `PERF_SAMPLE_REGS_ABI_64`.
const NATIVE: u64 = 2;
/// `PERF_RECORD_MISC_COMM_EXEC`.
const BY_EXEC: u16 = 1 << 13;

/// Words of a record, one after the other.
struct Words<'a>(&'a [u8]);

impl<'a> Words<'a> {
    fn u64(&mut self) -> Option<u64> {
        let (word, rest) = self.0.split_first_chunk::<8>()?;
        self.0 = rest;
        Some(u64::from_ne_bytes(*word))
    }

    fn two(&mut self) -> Option<(u32, u32)> {
        let word = self.u64()?.to_ne_bytes();
        let half = |from: usize| {
            u32::from_ne_bytes([word[from], word[from + 1], word[from + 2], word[from + 3]])
        };
        Some((half(0), half(4)))
    }

    fn bytes(&mut self, wanted: u64) -> Option<&'a [u8]> {
        let wanted = usize::try_from(wanted).ok()?;
        let (bytes, rest) = self.0.split_at_checked(wanted)?;
        self.0 = rest;
        Some(bytes)
    }
}

impl<'a> Record<'a> {
    /// Reads a record. Returns `None` for kinds that are not used, and for samples of threads that have no user's registers.
    pub(super) fn read(kind: u32, bits: u16, body: &'a [u8]) -> Option<Self> {
        let mut words = Words(body);
        match kind {
            kind::SAMPLE => sample(bits, words).map(Self::Sample),
            kind::FORK | kind::EXIT => {
                let (pid, parent_pid) = words.two()?;
                let (tid, _) = words.two()?;
                let task = Task {
                    pid,
                    tid,
                    parent_pid,
                };
                Some(if kind == kind::FORK {
                    Self::Began(task)
                } else {
                    Self::Ended(task)
                })
            }
            kind::COMM if bits & BY_EXEC != 0 => {
                let (pid, _) = words.two()?;
                Some(Self::NewProgram { pid })
            }
            kind::MMAP2 => mapped(words).map(Self::Mapped),
            kind::LOST => {
                words.u64()?;
                let records = words.u64()?;
                Some(Self::Lost(Lost { records }))
            }
            _ => None,
        }
    }
}

/// Returns when a record was written, `CLOCK_MONOTONIC`, nanoseconds; 0 if it is not there. Samples begin with it, other records end
/// with it.
pub(super) fn time_ns(kind: u32, body: &[u8]) -> u64 {
    let word = match kind {
        kind::SAMPLE => body.get(16..).and_then(|it| it.first_chunk::<8>()),
        _ => body.last_chunk::<8>(),
    };
    word.map_or(0, |it| u64::from_ne_bytes(*it))
}

/// Returns the process of a sample; `None` for other records.
pub(super) fn sampled_process(kind: u32, body: &[u8]) -> Option<u32> {
    let word = body.get(8..12).filter(|_| kind == kind::SAMPLE)?;
    Some(u32::from_ne_bytes(word.try_into().ok()?))
}

/// The name of code without a file.
const ANONYMOUS: &[u8] = b"//anon";

/// Reads a mapping of code.
fn mapped(mut words: Words<'_>) -> Option<Mapped> {
    let (pid, _) = words.two()?;
    let (start, length, offset) = (words.u64()?, words.u64()?, words.u64()?);
    let (major, minor) = words.two()?;
    let inode = words.u64()?;
    words.u64()?;
    let (protection, flags) = words.two()?;
    let name = words.0.split(|&byte| byte == 0).next()?;
    let name = match name {
        ANONYMOUS => &[][..],
        named => named,
    };
    let end = start.checked_add(length)?;
    (start < end).then(|| Mapped {
        pid,
        mapping: Mapping {
            start,
            end,
            executable: protection & libc::PROT_EXEC as u32 != 0,
            shared: flags & libc::MAP_SHARED as u32 != 0,
            offset,
            device: format!("{major:02x}:{minor:02x}"),
            inode,
            path: OsString::from_vec(name.to_vec()).into(),
            deleted: false,
        },
    })
}

/// Reads a sample as [`Sampler`](super::Sampler) and watchpoints ask for it.
fn sample(bits: u16, mut words: Words<'_>) -> Option<Sample<'_>> {
    words.u64()?;
    let (pid, tid) = words.two()?;
    let time_ns = words.u64()?;
    let abi = words.u64()?;
    // `PERF_SAMPLE_REGS_ABI_NONE`: a thread of the kernel.
    if abi == 0 {
        return None;
    }
    let registers = words.bytes(8 * u64::from(MASK.count_ones()))?;
    let registers = registers
        .chunks_exact(8)
        .map(|word| u64::from_ne_bytes(word.try_into().unwrap_or_default()));
    let registers = Registers::read(registers)?;
    let stack = match words.u64() {
        None | Some(0) => &[][..],
        Some(bytes) => {
            let copied = words.bytes(bytes)?;
            // The number of bytes that are there follows.
            let there = words.u64()?.min(bytes);
            &copied[..there as usize]
        }
    };
    Some(Sample {
        pid,
        tid,
        time_ns,
        in_kernel: bits & MODE != MODE_USER,
        is_native: abi == NATIVE,
        registers,
        stack,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(words: &[u64]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_ne_bytes()).collect()
    }

    #[test]
    fn a_sample_has_its_registers_and_the_part_of_its_stack_that_is_there() {
        let count = u64::from(MASK.count_ones());
        let mut words = vec![0x1234, u64::from(8_u32) << 32 | 7, 99, 2];
        words.extend(100..100 + count);
        words.extend([16, 0xaa, 0xbb, 8]);
        let body = body(&words);
        let Some(Record::Sample(sample)) = Record::read(9, 2, &body) else {
            panic!("a sample");
        };
        assert_eq!((sample.pid, sample.tid, sample.time_ns), (7, 8, 99));
        assert!(!sample.in_kernel && sample.is_native);
        assert_eq!(
            (sampled_process(9, &body), sampled_process(7, &body)),
            (Some(7), None)
        );
        assert_eq!(time_ns(9, &body), 99);
        assert_eq!(sample.stack, 0xaa_u64.to_ne_bytes());
        assert!(sample.registers.ip() > 100 && sample.registers.sp() > 100);
        for cut in 0..body.len() {
            // A truncated record is not a sample, or is a sample without a stack.
            if let Some(Record::Sample(sample)) = Record::read(9, 2, &body[..cut]) {
                assert!(sample.stack.is_empty());
            }
        }
    }

    #[test]
    fn a_thread_of_the_32_bit_architecture_is_recognised() {
        let count = u64::from(MASK.count_ones());
        let mut words = vec![0x1234, u64::from(8_u32) << 32 | 7, 99, 1];
        words.extend(100..100 + count);
        words.push(0);
        let body = body(&words);
        let Some(Record::Sample(sample)) = Record::read(9, 2, &body) else {
            panic!("a sample");
        };
        assert!(!sample.is_native);
    }

    #[test]
    fn threads_of_the_kernel_have_no_sample() {
        let body = body(&[0x1234, 7, 99, 0, 0]);
        assert!(Record::read(9, 1, &body).is_none());
    }

    #[test]
    fn mapped_code_has_its_file() {
        let two = |a: u32, b: u32| u64::from(b) << 32 | u64::from(a);
        let mut record = body(&[two(7, 8), 0x40_0000, 0x3000, 0x1000, two(0xfe, 3), 77, 0]);
        record.extend(body(&[two(5, 2)]));
        record.extend(b"/usr/bin/a\0\0\0\0\0\0");
        record.extend(body(&[two(7, 8), 123]));
        assert_eq!(time_ns(10, &record), 123);
        let Some(Record::Mapped(mapped)) = Record::read(10, 0, &record) else {
            panic!("a mapping");
        };
        assert_eq!(mapped.pid, 7);
        let it = mapped.mapping;
        assert_eq!(
            (it.start, it.end, it.offset),
            (0x40_0000, 0x40_3000, 0x1000)
        );
        assert_eq!((&*it.device, it.inode), ("fe:03", 77));
        assert!(it.executable && !it.shared && it.is_of_file());
        assert_eq!(it.path.as_os_str(), "/usr/bin/a");
        for cut in 0..64 {
            assert!(Record::read(10, 0, &record[..cut]).is_none());
        }
    }

    #[test]
    fn threads_that_begin_and_records_that_are_lost() {
        let two = |a: u32, b: u32| u64::from(b) << 32 | u64::from(a);
        let fork = body(&[two(10, 9), two(11, 9), 5]);
        assert!(matches!(
            Record::read(7, 0, &fork),
            Some(Record::Began(Task {
                pid: 10,
                tid: 11,
                parent_pid: 9
            }))
        ));
        assert!(matches!(
            Record::read(2, 0, &body(&[1, 12])),
            Some(Record::Lost(Lost { records: 12 }))
        ));
        assert!(Record::read(3, 0, &body(&[two(10, 10), 0])).is_none());
        assert!(matches!(
            Record::read(3, 1 << 13, &body(&[two(10, 10), 0])),
            Some(Record::NewProgram { pid: 10 })
        ));
    }
}

//! Samples of running code.

use std::io;

use super::attributes::{Attributes, CPU_CLOCK, SOFTWARE, flag, sample};
use super::event::{Event, Refused, Target};
use super::record::{Record, sampled_process, time_ns};
use super::registers;
use super::ring::Ring;

/// How many samples per second of CPU time are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate(pub u32);

/// Which threads are sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The programs that the calling thread starts from now on, from their first instruction, with all of their children. The kernel's
    /// work for them is not sampled. Needs no privileges where `kernel.perf_event_paranoid` is at most 2.
    Started,
    /// All threads of the machine, also while the kernel works for them. Needs CAP_PERFMON.
    Everything,
}

/// The pages of each CPU's ring: 256 KiB, of which every user may lock twice as much for each CPU (`kernel.perf_event_mlock_kb`); and
/// more for the samples of the whole machine, to which that limit does not apply.
const PAGES: usize = 64;
const PAGES_OF_EVERYTHING: usize = 256;

/// How much of the stack each sample has: enough for the return addresses of some small functions.
const STACK_BYTES: u32 = 1024;

/// One event for each CPU. An event that children inherit cannot have one ring for all CPUs.
#[derive(Debug)]
pub struct Sampler {
    /// An event stays open as long as its ring is read.
    cpus: Vec<(Event, Ring)>,
    scope: Scope,
    rate: Rate,
    batch: Batch,
}

/// Records of all CPUs, which are put in the order of time: a program's code is mapped on one CPU and sampled on another.
#[derive(Debug, Default)]
struct Batch {
    bytes: Vec<u8>,
    records: Vec<Position>,
}

/// A record in a batch.
#[derive(Clone, Copy, Debug)]
struct Position {
    time_ns: u64,
    kind: u32,
    bits: u16,
    begin: usize,
    end: usize,
}

impl Sampler {
    /// Opens the events. With [`Scope::Started`], samples begin at the next program that the calling thread starts.
    ///
    /// # Errors
    /// The reason why the kernel refuses.
    pub fn begin(scope: Scope, rate: Rate) -> Result<Self, Refused> {
        let mut attributes = Attributes::new(SOFTWARE, CPU_CLOCK);
        attributes.period = 1_000_000_000 / u64::from(rate.0.max(1));
        attributes.sample_type =
            sample::IP | sample::TID | sample::TIME | sample::REGS_USER | sample::STACK_USER;
        attributes.sample_regs_user = registers::MASK;
        attributes.sample_stack_user = STACK_BYTES;
        attributes.clock = libc::CLOCK_MONOTONIC;
        attributes.flags = flag::EXCLUDE_HYPERVISOR
            | flag::COMM
            | flag::COMM_EXEC
            | flag::MMAP
            | flag::MMAP2
            | flag::SAMPLE_ID_ALL
            | flag::TASK
            | flag::USE_CLOCK
            | flag::WATERMARK;
        // The rings are read by the clock: a wake-up for each record would only cost time.
        attributes.wakeup_watermark = u32::MAX / 2;
        attributes.flags |= match scope {
            Scope::Started => {
                flag::DISABLED | flag::ENABLE_ON_EXEC | flag::INHERIT | flag::EXCLUDE_KERNEL
            }
            Scope::Everything => flag::EXCLUDE_IDLE,
        };
        let thread = match scope {
            Scope::Started => 0,
            Scope::Everything => -1,
        };
        let pages = match scope {
            Scope::Started => PAGES,
            Scope::Everything => PAGES_OF_EVERYTHING,
        };
        let open = |cpu| -> io::Result<(Event, Ring)> {
            let event = Event::open(&attributes, Target { thread, cpu })?;
            let ring = Ring::of(&event, pages)?;
            Ok((event, ring))
        };
        let mut cpus = Vec::new();
        for cpu in online() {
            match open(cpu) {
                Ok(opened) => cpus.push(opened),
                // A CPU that was switched off in the meantime.
                Err(error) if error.raw_os_error() == Some(libc::ENODEV) && !cpus.is_empty() => {}
                Err(error) => return Err(Refused::of(&error)),
            }
        }
        match cpus.is_empty() {
            true => Err(Refused::NotThere),
            false => Ok(Self {
                cpus,
                scope,
                rate,
                batch: Batch::default(),
            }),
        }
    }

    /// Returns whose samples these are.
    #[must_use]
    pub fn scope(&self) -> Scope {
        self.scope
    }

    /// Returns the CPU time between two samples of a thread, nanoseconds.
    #[must_use]
    pub fn period_ns(&self) -> u64 {
        1_000_000_000 / u64::from(self.rate.0.max(1))
    }

    /// Collects all records that have arrived, without the samples of processes that `is_stranger` knows: of the whole machine,
    /// those are most of all samples.
    pub fn collect(&mut self, is_stranger: impl Fn(u32) -> bool) {
        let Batch { bytes, records } = &mut self.batch;
        bytes.clear();
        records.clear();
        for (_, ring) in &mut self.cpus {
            ring.drain(|kind, bits, body| {
                if sampled_process(kind, body).is_some_and(&is_stranger) {
                    return;
                }
                let begin = bytes.len();
                bytes.extend_from_slice(body);
                records.push(Position {
                    time_ns: time_ns(kind, body),
                    kind,
                    bits,
                    begin,
                    end: bytes.len(),
                });
            });
        }
        records.sort_by_key(|it| it.time_ns);
    }

    /// Hands the records that were collected to `take`, in the order of time.
    pub fn take(&self, mut take: impl FnMut(Record<'_>)) {
        let Batch { bytes, records } = &self.batch;
        for it in records {
            if let Some(record) = Record::read(it.kind, it.bits, &bytes[it.begin..it.end]) {
                take(record);
            }
        }
    }

    /// Ends the samples. Records that have arrived can still be drained.
    pub fn stop(&self) {
        for (event, _) in &self.cpus {
            // An event that cannot be stopped only costs time until it is closed.
            let _ = event.disable();
        }
    }

    /// Closes the events for good: also events that are stopped make each switch of their threads take longer.
    pub fn close(&mut self) {
        self.cpus.clear();
    }
}

/// Returns the numbers of the CPUs that run.
fn online() -> Vec<i32> {
    let text = std::fs::read_to_string("/sys/devices/system/cpu/online").unwrap_or_default();
    let mut cpus = Vec::new();
    for range in text.trim().split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        if let (Ok(first), Ok(last)) = (first.parse::<i32>(), last.parse::<i32>()) {
            cpus.extend(first..=last);
        }
    }
    match cpus.is_empty() {
        true => vec![0],
        false => cpus,
    }
}

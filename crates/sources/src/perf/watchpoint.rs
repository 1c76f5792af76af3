//! Writes to a word of memory, seen by the processor's own watchpoints.

use super::attributes::{Attributes, BREAKPOINT, ON_WRITE, flag, sample};
use super::event::{Event, Refused, Target};
use super::record::Record;
use super::registers;
use super::ring::Ring;

/// A page is enough for some writes; the rest is counted as lost.
const PAGES: usize = 2;

/// A watched word, for one thread.
#[derive(Debug)]
pub struct Watchpoint {
    event: Event,
    ring: Ring,
}

/// A write to the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// The process of the thread that wrote.
    pub pid: u32,
    /// The thread that wrote.
    pub tid: u32,
    /// The instruction after the one that wrote.
    pub ip: u64,
    /// Its stack pointer.
    pub sp: u64,
    /// Its frame pointer, if the code uses it as one.
    pub bp: u64,
}

impl Watchpoint {
    /// Watches for writes of `thread` to the `bytes` bytes at `address`: 1, 2, 4 or 8, and aligned.
    ///
    /// # Errors
    /// [`Refused::InUse`] if the processor's four watchpoints are taken; other reasons as the kernel gives them.
    pub fn set(thread: u32, address: u64, bytes: u8) -> Result<Self, Refused> {
        let mut attributes = Attributes::new(BREAKPOINT, 0);
        attributes.period = 1;
        attributes.breakpoint_type = ON_WRITE;
        attributes.breakpoint_address = address;
        attributes.breakpoint_bytes = u64::from(bytes);
        attributes.sample_type = sample::IP | sample::TID | sample::TIME | sample::REGS_USER;
        attributes.sample_regs_user = registers::MASK;
        attributes.clock = libc::CLOCK_MONOTONIC;
        attributes.wakeup_watermark = u32::MAX / 2;
        attributes.flags = flag::EXCLUDE_KERNEL
            | flag::EXCLUDE_HYPERVISOR
            | flag::USE_CLOCK
            | flag::WATERMARK
            | flag::DISABLED;
        let target = Target {
            thread: i32::try_from(thread).map_err(|_| Refused::Gone)?,
            cpu: -1,
        };
        let opened = || -> std::io::Result<Self> {
            let event = Event::open(&attributes, target)?;
            let ring = Ring::of(&event, PAGES)?;
            event.enable()?;
            Ok(Self { event, ring })
        };
        opened().map_err(|error| Refused::of(&error))
    }

    /// Ends watching, and returns the writes that were seen.
    pub fn end(mut self) -> Vec<Written> {
        // If it cannot be stopped, closing it does.
        let _ = self.event.disable();
        let mut written = Vec::new();
        self.ring.drain(|kind, bits, body| {
            if let Some(Record::Sample(sample)) = Record::read(kind, bits, body) {
                written.push(Written {
                    pid: sample.pid,
                    tid: sample.tid,
                    ip: sample.registers.ip(),
                    sp: sample.registers.sp(),
                    bp: sample.registers.bp(),
                });
            }
        });
        written
    }
}

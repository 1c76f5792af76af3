//! Reads a thread's stack without ever touching memory that may not be mapped.
//!
//! # Invariants
//!
//! - **K1** `low..high` are whole pages, from the page of the stack pointer upwards, and each was found to be mapped: the
//!   first because the thread runs on it, the others because the kernel could read them, now or on an earlier walk of this
//!   thread over the same stack. A stack stays mapped while a thread runs on it.
//! - **K2** The range grows only while the walk uses tables: a step that follows an arbitrary frame pointer, or crosses over
//!   to the stack that a signal interrupted, reads by system call.

use core::cell::Cell;

use super::cursor::Memory;
use super::process::Process;
use super::remembered::Walk;

const WORD: usize = size_of::<usize>();
/// The smallest page size; larger pages are multiples of it.
const PAGE_BYTES: usize = 4096;
/// The most pages by which the range grows at a time: a larger frame is read by system call.
const STRIDE_PAGES: usize = 64;

/// The pages of its stack that a thread's walks have passed through, in one word, so that a signal handler that interrupts a
/// change sees all of it or nothing. Zero means none.
pub struct KnownPages(Cell<u64>);

const COUNT_BITS: u32 = 24;

impl KnownPages {
    pub const fn none() -> Self {
        Self(Cell::new(0))
    }

    /// Returns the first address, and the address after the last.
    fn range(&self) -> (usize, usize) {
        let word = self.0.get();
        let low = (word >> COUNT_BITS) as usize * PAGE_BYTES;
        let pages = (word & ((1 << COUNT_BITS) - 1)) as usize;
        (low, low + pages * PAGE_BYTES)
    }

    fn set(&self, low: usize, high: usize) {
        let (first, pages) = (low / PAGE_BYTES, (high - low) / PAGE_BYTES);
        if first < 1 << (64 - COUNT_BITS) && pages < 1 << COUNT_BITS {
            self.0.set((first as u64) << COUNT_BITS | pages as u64);
        }
    }

    /// Whether `address` lies in one of the pages.
    #[inline]
    pub fn contain(&self, address: usize) -> bool {
        let (low, high) = self.range();
        (low..high).contains(&address)
    }

    /// Forgets another thread's pages.
    pub fn forget(&self) {
        self.0.set(0);
    }
}

/// The stack as a walk sees it.
pub struct Stack<'k> {
    low: usize,
    high: usize,
    /// The beginning of the pages known by now, at or below `low`.
    bottom: usize,
    known: &'k KnownPages,
    /// Where the walk's dependencies are noted.
    walk: Option<&'k Walk>,
    is_trusted: bool,
}

impl<'k> Stack<'k> {
    /// Makes the stack of the calling thread, whose stack pointer is `stack_pointer` or lower.
    pub fn new(stack_pointer: usize, known: &'k KnownPages, walk: Option<&'k Walk>) -> Self {
        let low = stack_pointer & !(PAGE_BYTES - 1);
        let (known_low, known_high) = known.range();
        let (bottom, high) = if (known_low..known_high).contains(&low) {
            (known_low, known_high)
        } else {
            (low, low + PAGE_BYTES)
        };
        Self {
            low,
            high,
            bottom,
            known,
            walk,
            is_trusted: true,
        }
    }

    /// Notes that addresses may be anything from now on: see K2.
    pub fn distrust(&mut self) {
        self.is_trusted = false;
        self.spoil();
    }

    /// Notes that the walk depends on more than the words that it reads.
    pub fn spoil(&self) {
        if let Some(walk) = self.walk {
            walk.spoil();
        }
    }

    /// Notes that a step is based on the frame pointer.
    #[inline]
    pub fn uses_frame_pointer(&self) {
        if let Some(walk) = self.walk {
            walk.uses_frame_pointer();
        }
    }

    /// Whether all steps have used tables so far.
    pub fn is_trusted(&self) -> bool {
        self.is_trusted
    }

    /// Reads the word at `address`, if there is one, and notes that the walk depends on it.
    #[inline]
    pub fn word(&mut self, address: usize) -> Option<usize> {
        let value = self.read(address)?;
        if let Some(walk) = self.walk {
            walk.depends_on(address, value);
        }
        Some(value)
    }

    /// Reads the caller's frame pointer, which was saved at `address`.
    #[inline]
    pub fn saved_frame_pointer(&mut self, address: usize) -> Option<usize> {
        let value = self.read(address)?;
        if let Some(walk) = self.walk {
            walk.saved_frame_pointer(address, value);
        }
        Some(value)
    }

    #[inline]
    fn read(&mut self, address: usize) -> Option<usize> {
        if !address.is_multiple_of(WORD) {
            return None;
        }
        // `high - WORD` is not less than `low`: the range is at least one page.
        if (self.low..=self.high - WORD).contains(&address) || self.reach(address) {
            // SAFETY: K1. Another thread may be writing there, as to any variable: the word is read in one access, and not
            // trusted.
            return Some(unsafe { (address as *const usize).read_volatile() });
        }
        self.spoil();
        copied_word(address)
    }

    /// Extends the range to `address`, if that is allowed.
    #[cold]
    fn reach(&mut self, address: usize) -> bool {
        if !self.is_trusted || address < self.high {
            return false;
        }
        if (address - self.high) / PAGE_BYTES >= STRIDE_PAGES {
            return false;
        }
        while self.high <= address {
            // The range known earlier may begin here.
            let (known_low, known_high) = self.known.range();
            if known_low == self.high && known_high > self.high {
                self.high = known_high;
            } else if copied_word(self.high).is_some() {
                self.high += PAGE_BYTES;
            } else {
                return false;
            }
        }
        true
    }
}

impl Drop for Stack<'_> {
    /// Remembers the range for the thread's next walk.
    fn drop(&mut self) {
        if self.known.range() != (self.bottom, self.high) {
            self.known.set(self.bottom, self.high);
        }
    }
}

fn copied_word(address: usize) -> Option<usize> {
    let mut bytes = [0; WORD];
    (Process.copy(address, &mut bytes) == WORD).then(|| usize::from_ne_bytes(bytes))
}

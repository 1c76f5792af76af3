//! The key of a record, and the sequence of places in a table where the record may be.

use locktoll_recording::layout::{EntryPoint, LockKind, POOLED};

/// The key of a record.
#[derive(Clone, Copy)]
pub struct Key {
    pub lock: usize,
    /// Distinguishes locks at the same address: see `identity`.
    pub generation: u32,
    /// The return address of the call.
    pub site: usize,
    pub entry: EntryPoint,
    /// The kind of lock. It goes into new records, but is not used to find them.
    pub kind: LockKind,
    /// `BirthRecord::id` of the lock. Not used to find records either.
    pub birth: u32,
    /// A further part of the key: the holder's [`Place`](crate::place::Place) in blame, the stack in waits by stack, zero in
    /// all other records.
    pub other: u32,
}

/// A run, in grains. Locks in one run, such as those of one array or one slab, have entries near each other. So a pass over
/// the locks reads the table in order, as it reads the locks, and memory is fetched ahead.
const RUN: u64 = 512;
/// Hardly any two locks have addresses closer together than this.
const GRAIN_BYTES: usize = 1 << 4;
/// A generation with this bit was not counted up from lock to lock: see `identity`.
pub const NOT_IN_SEQUENCE: u32 = 1 << 31;

/// The place where a search begins, and the tag that it looks for.
#[derive(Clone, Copy)]
pub struct Way {
    hash: u64,
    offset: u64,
    lock: u64,
}

impl Way {
    #[inline(always)]
    pub fn first_place(self, shift: u32) -> usize {
        // The caller's mask wraps what runs past the end back to the beginning.
        (self.hash >> shift) as usize + self.offset as usize
    }

    #[inline(always)]
    pub fn tag(self) -> u64 {
        // These are other bits of the product than those that choose the place. Keys that share them are distinguished by
        // address.
        (self.hash >> 16 ^ self.lock >> 2) & 0xffff
    }
}

/// The number of entries in a cache line. An entry's own line is searched before any other is fetched.
pub const LINE: usize = 8;

/// Returns the next place to look at after `place`, which was the `step`th, counted from 0.
#[inline(always)]
pub fn next_place(place: usize, step: usize, mask: usize) -> usize {
    let (before, now) = (step % LINE, (step + 1) % LINE);
    // Visits each place of the line once: the exclusive or of the starting place with 0, 1, ... 7.
    let begin = place ^ before;
    if now != 0 {
        return begin ^ now;
    }
    // The search moves to another line by an odd number of lines, so that it reaches every line of a table whose length is a
    // power of two. The step is long, the fractional part of the square root of 2: a run that meets another goes round it as a
    // whole, still in order. It is not the golden ratio, with which `Key::way` spreads the runs: a step from one run must not
    // lead to the next.
    let lines = (mask / LINE) as u64;
    let stride = lines.wrapping_mul(0x6A09_E667) as usize >> 32 | 1;
    (begin + stride * LINE) & mask
}

impl Key {
    /// Multiplicative hashing (Knuth, The Art of Computer Programming 3, 6.4) of the site and the run: the upper bits are well
    /// mixed.
    #[inline(always)]
    pub fn way(self) -> Way {
        // By the address, not by the generation, so that a new lock finds the record of the lock that was there before.
        let lock = if self.lock as u64 == POOLED {
            u64::from(self.generation) << 6
        } else {
            self.lock as u64
        };
        let spot = lock / GRAIN_BYTES as u64;
        let mixed = (spot / RUN)
            ^ (self.site as u64).rotate_left(29)
            ^ u64::from(self.entry.number()) << 58
            ^ u64::from(self.other).rotate_left(40);
        Way {
            hash: mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15),
            offset: spot % RUN,
            lock,
        }
    }
}

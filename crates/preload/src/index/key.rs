//! The key of a record, and the sequence of places in a table where it may be.

use locktoll_recording::layout::{EntryPoint, LockKind, POOLED};

/// What a record is found by.
#[derive(Clone, Copy)]
pub struct Key {
    pub lock: usize,
    /// Which lock at that address: see `identity`.
    pub generation: u32,
    /// The return address of the call.
    pub site: usize,
    pub entry: EntryPoint,
    /// What sort of lock it is. Goes into new records; nothing is found by it.
    pub kind: LockKind,
    /// `BirthRecord::id` of the lock. As `kind`.
    pub birth: u32,
    /// What else tells records apart: the holder's [`Place`](crate::place::Place) in blame, the stack in waits by stack, zero in all
    /// others.
    pub other: u32,
}

/// Locks this near each other, as those of one array or one slab, counted in grains, have entries near each other: going
/// through them reads the table in order, as it reads the locks, and memory is fetched ahead.
const RUN: u64 = 512;
/// Hardly any two locks have addresses nearer than this.
const GRAIN_BYTES: usize = 1 << 4;
/// A generation with this bit was not counted up from lock to lock: see `identity`.
pub const NOT_IN_SEQUENCE: u32 = 1 << 31;

/// Where to begin to look, and what to look for.
#[derive(Clone, Copy)]
pub struct Way {
    hash: u64,
    offset: u64,
    lock: u64,
}

impl Way {
    #[inline(always)]
    pub fn first_place(self, shift: u32) -> usize {
        // The caller's mask brings what runs over the end back to the beginning.
        (self.hash >> shift) as usize + self.offset as usize
    }

    #[inline(always)]
    pub fn tag(self) -> u64 {
        // Other bits of the product than those that choose the place. Keys that share them are distinguished by address.
        (self.hash >> 16 ^ self.lock >> 2) & 0xffff
    }
}

/// How many entries a cache line has. An entry's own line is searched before any other is fetched.
pub const LINE: usize = 8;

/// The next place to look at after `place`, which was the `step`th, counted from 0.
#[inline(always)]
pub fn next_place(place: usize, step: usize, mask: usize) -> usize {
    let (before, now) = (step % LINE, (step + 1) % LINE);
    // Each place of the line once: the exclusive or with 0, 1, ... 7 of where it began.
    let begin = place ^ before;
    if now != 0 {
        return begin ^ now;
    }
    // To another line, by a step that is odd in lines, so that it leads to every line of a table whose length is a power
    // of two. It is long, the fractional part of the square root of 2: a run that meets another goes round it as a whole,
    // still in order. Not that of the golden ratio, by which `Key::way` spreads the runs: a step from one run must not lead
    // to the next.
    let lines = (mask / LINE) as u64;
    let stride = lines.wrapping_mul(0x6A09_E667) as usize >> 32 | 1;
    (begin + stride * LINE) & mask
}

impl Key {
    /// Multiplicative hashing (Knuth, The Art of Computer Programming 3, 6.4) of the site and the run: the upper bits
    /// are the good ones.
    #[inline(always)]
    pub fn way(self) -> Way {
        // By the address, not by the generation: so the record of a lock that has gone is found by the one that came.
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

//! The numbers that distinguish locks which lived at one address: see `identity`.

use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Relaxed;

use crate::index::NOT_IN_SEQUENCE;

/// How many counters there are for objects without a mark.
const REBORN: usize = 4096;

/// The last number given out. It lies outside the recorder, whose memory a fork wipes: a child gives out none that its parent has.
static LAST: AtomicU32 = AtomicU32::new(0);

/// What was counted of objects without a mark. Zeros are nothing.
pub struct Generations {
    reborn: [AtomicU32; REBORN],
}

impl Generations {
    /// A number that no lock has had, in this process or those that it was forked from.
    pub fn next() -> u32 {
        // Relaxed: only the number counts.
        LAST.fetch_add(1, Relaxed).wrapping_add(1) & !NOT_IN_SEQUENCE
    }

    fn reborn(&self, lock: usize) -> &AtomicU32 {
        &self.reborn[(lock as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) as usize >> 52]
    }

    /// The generation of an object that is not marked.
    pub fn unmarked(&self, lock: usize) -> u32 {
        self.reborn(lock).load(Relaxed) | NOT_IN_SEQUENCE
    }

    /// An object that is not marked was initialised.
    pub fn forget(&self, lock: usize) {
        // Relaxed: only the number counts. It may come round again after 2^31 times, at that address.
        self.reborn(lock).fetch_add(1, Relaxed);
    }
}

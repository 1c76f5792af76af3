//! The numbers that distinguish locks that lived at the same address: see `identity`.

use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Relaxed;

use crate::index::NOT_IN_SEQUENCE;

/// The number of counters for objects without a mark.
const REBORN: usize = 4096;

/// The last number given out. It lies outside the recorder, whose memory a fork wipes, so a child never gives out a number
/// that its parent has.
static LAST: AtomicU32 = AtomicU32::new(0);

/// The counts for objects without a mark. Valid when zeroed: then nothing has been counted.
pub struct Generations {
    reborn: [AtomicU32; REBORN],
}

impl Generations {
    /// Returns a number that no lock has had, in this process or in those that it was forked from.
    pub fn next() -> u32 {
        // Relaxed: only the number itself matters.
        LAST.fetch_add(1, Relaxed).wrapping_add(1) & !NOT_IN_SEQUENCE
    }

    fn reborn(&self, lock: usize) -> &AtomicU32 {
        &self.reborn[(lock as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) as usize >> 52]
    }

    /// Returns the generation of an object that is not marked.
    pub fn unmarked(&self, lock: usize) -> u32 {
        self.reborn(lock).load(Relaxed) | NOT_IN_SEQUENCE
    }

    /// Notes that an object that is not marked was initialised.
    pub fn forget(&self, lock: usize) {
        // Relaxed: only the number itself matters. It wraps around after 2^31 initialisations at that address.
        self.reborn(lock).fetch_add(1, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_without_a_mark_is_another_after_each_initialisation() {
        // SAFETY: zeros are valid: nothing has been counted.
        let generations: Generations = unsafe { core::mem::zeroed() };
        let lock = 0x7f00_0000_1000;
        assert_eq!(generations.unmarked(lock), NOT_IN_SEQUENCE);
        generations.forget(lock);
        generations.forget(lock);
        assert_eq!(generations.unmarked(lock), NOT_IN_SEQUENCE | 2);
        // Few of a thousand other locks share its counter.
        let locks = (1..1000).map(|number| lock + 64 * number);
        let shared = locks.filter(|it| generations.unmarked(*it) != NOT_IN_SEQUENCE);
        assert!(shared.count() < 10);
    }

    #[test]
    fn a_number_is_given_out_once() {
        let (first, second) = (Generations::next(), Generations::next());
        assert!(second > first && second & NOT_IN_SEQUENCE == 0);
    }
}

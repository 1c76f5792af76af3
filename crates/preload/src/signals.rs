//! The times when conditions were signalled. They mark the beginning of waking up and acquiring the mutex again.

use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::Relaxed;

/// The number of conditions that are kept. Two conditions that share a place overwrite each other; a wait that finds another
/// condition's signal there has no figure for its re-lock.
const PLACES: usize = 1024;

/// The most recent signals. All zeros means there are none.
pub struct Signals([Signal; PLACES]);

struct Signal {
    condition: AtomicU64,
    at_ns: AtomicU64,
}

impl Signals {
    fn place(&self, condition: usize) -> &Signal {
        &self.0[(condition as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) as usize >> 54]
    }

    pub fn note(&self, condition: usize, now_ns: u64) {
        let place = self.place(condition);
        // Relaxed: a wait may see one word old and one new. Then it finds a time before it began, or the signal of another
        // condition at that very moment, and its figure for the re-lock is off by the difference.
        place.condition.store(condition as u64, Relaxed);
        place.at_ns.store(now_ns, Relaxed);
    }

    /// Returns the time when `condition` was last signalled, if that was at `since_ns` or later.
    pub fn last(&self, condition: usize, since_ns: u64) -> Option<u64> {
        let place = self.place(condition);
        if place.condition.load(Relaxed) != condition as u64 {
            return None;
        }
        Some(place.at_ns.load(Relaxed)).filter(|&at_ns| at_ns >= since_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_signal_of_a_condition_is_known_since_a_moment() {
        // SAFETY: zeros are valid: there are no signals.
        let signals = unsafe { Box::<Signals>::new_zeroed().assume_init() };
        let condition = 0x7f00_0000_1000;
        signals.note(condition, 500);
        signals.note(condition, 700);
        let since = [0, 700, 701].map(|since_ns| signals.last(condition, since_ns));
        assert_eq!(since, [Some(700), Some(700), None]);
        assert!((1..2000).all(|number| signals.last(condition + 48 * number, 0).is_none()));
    }
}

//! How threads wait for objects that have the same algorithm under all candidates: reader-writer locks and spin locks.

use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::Relaxed;

use locktoll_locks::Waiting;
use locktoll_locks::catalogue::Waits;

use crate::candidate::{Algorithm, Candidate};

/// The spin units for candidates that do not specify them: about the cost of a wake-up.
const SPIN: u32 = 100;

/// How often a candidate that yields forever as a mutex yields here before it parks. If more threads than processors wait, one
/// yield may let a holder run for a whole time slice, so few are enough.
const YIELDS: u16 = 32;

/// [`chosen`] in one word, with the yields in the upper half.
static CHOSEN: AtomicU64 = AtomicU64::new(0);

/// Sets how threads wait under a candidate.
pub fn choose(candidate: Candidate) {
    let Waiting { spin, yields } = of(candidate);
    // Relaxed: stored before any name is redirected to this library, and always the same.
    CHOSEN.store(u64::from(yields) << 32 | u64::from(spin), Relaxed);
}

/// Returns how threads wait under the candidate that was chosen.
#[inline]
pub fn chosen() -> Waiting {
    // Relaxed: as above.
    let chosen = CHOSEN.load(Relaxed);
    Waiting {
        spin: chosen as u32,
        yields: (chosen >> 32) as u16,
    }
}

/// Returns how threads wait under a candidate.
fn of(candidate: Candidate) -> Waiting {
    let lock = candidate.description().map(|it| it.lock);
    let waits = lock.map_or(Waits::SpinsThenParks, |lock| lock.waits);
    match (candidate.algorithm, waits) {
        // Their parameter says how long.
        (Algorithm::Futex2 | Algorithm::Futex3, _) => Waiting {
            spin: candidate.parameter,
            yields: 0,
        },
        (_, Waits::Spins | Waits::SpinsThenYields) => Waiting {
            spin: SPIN,
            yields: YIELDS,
        },
        _ => Waiting {
            spin: SPIN,
            yields: 0,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::parse;

    #[test]
    fn what_was_chosen_comes_back() {
        for (name, spin, yields) in [
            ("futex3:0", 0, 0),
            ("futex3:1000000", 1_000_000, 0),
            ("ticket", SPIN, YIELDS),
            ("ttas-backoff-yield", SPIN, YIELDS),
            ("one-spinner", SPIN, 0),
        ] {
            choose(parse(name.as_bytes()).unwrap());
            assert_eq!(chosen(), Waiting { spin, yields }, "{name}");
        }
    }
}

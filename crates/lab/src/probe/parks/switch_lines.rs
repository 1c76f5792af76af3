//! How many lines of the cache a switch uses, in the kernel and in the program: from the time that it takes to refill them.

use std::sync::atomic::AtomicU32;
use std::time::Duration;

use super::displacer::Displacer;
use crate::clock::Clock;
use crate::probe::refill::{Turn, await_turn, end, hand_over};
use crate::stats::estimate;

/// Number of times that the lines are displaced.
const TIMES: usize = 41;

/// Round trips after which everything that a switch uses is in the caches again.
const WARM_UP: usize = 20;

/// Time limit for one turn of the other thread, after which it is given up.
const TURN_LIMIT: Duration = Duration::from_secs(2);

/// Returns how many lines a switch uses. The first round trip after `displacer` has been at work takes longer by the time to load
/// the lines of two switches again, `line_ns` each, as if they were loaded one after the other.
///
/// # Errors
/// If the other thread does not take its turn, or the time cannot be distinguished from that of other switches.
pub(super) fn lines_of_a_switch(displacer: &mut Displacer, line_ns: f64) -> Result<f64, String> {
    let (clock, word) = (Clock::get(), AtomicU32::new(0));
    let round_trip = || {
        let start = clock.now();
        hand_over(&word, Turn::Other);
        let back = await_turn(&word, Turn::Timed, TURN_LIMIT);
        back.then(|| clock.ns(clock.now() - start))
    };
    let mut sample = || {
        for _ in 0..WARM_UP {
            round_trip()?;
        }
        let warm = round_trip()?;
        displacer.displace();
        Some(round_trip()? - warm)
    };
    let added = std::thread::scope(|scope| {
        scope.spawn(|| {
            while await_turn(&word, Turn::Other, TURN_LIMIT) {
                hand_over(&word, Turn::Timed);
            }
        });
        let added: Option<Vec<f64>> = (0..TIMES).map(|_| sample()).collect();
        // Also after a failure, or the scope would wait until the other side gives up.
        end(&word);
        added
    });
    let added = added.ok_or("the other thread did not take its turn")?;
    of(&added, line_ns)
}

/// Returns the lines of a switch, if this is what round trips took longer.
fn of(added_ns: &[f64], line_ns: f64) -> Result<f64, String> {
    let added = estimate(added_ns).filter(|added| added.low > 0.0 && line_ns > 0.0);
    added
        .map(|added| (added.median / 2.0 / line_ns).max(1.0))
        .ok_or_else(|| {
            "the time that a switch takes to load its lines again cannot be distinguished from noise"
                .to_owned()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_trip_is_two_switches() {
        assert_eq!(of(&[6_000.0; 9], 30.0), Ok(100.0));
        assert_eq!(of(&[6.0; 9], 30.0), Ok(1.0));
        for none in [[0.0; 9], [-50.0; 9]] {
            assert!(of(&none, 30.0).unwrap_err().contains("noise"));
        }
        assert!(of(&[], 30.0).is_err());
    }
}

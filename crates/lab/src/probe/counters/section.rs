//! The probe family as a whole: the rounds of a refill, with counters read together with the clock.

use std::io;
use std::time::Duration;

use super::event::{
    CACHE_MISSES, DATA_TLB_MISSES, Event, Kind, LAST_LEVEL_MISSES, USER_MODE_UP_TO, why,
};
use crate::platform::linux::Tree;
use crate::probe::refill::{Effort, Rounds, Witness, half_of_last_level, rounds_of};
use crate::probe::scheduling::Rank;
use crate::probe::session::Session;
use crate::probe::{Counters, Prices, RefillKind};
use crate::stats::{Estimate, estimate};

const TIME: Duration = Duration::from_millis(400);
const QUICK_TIME: Duration = Duration::from_millis(100);
const MOST_ROUNDS: usize = 61;

/// Counts the misses that a switch causes between two threads whose working sets each fill half of the last-level cache.
pub(in crate::probe) fn measure(session: &Session<'_>, prices: &mut Prices) {
    session.progress("hardware counters");
    prices.counters = Some(match session.interrupted() {
        true => refused("stopped before its turn".into()),
        false => counters(session),
    });
}

fn refused(reason: String) -> Counters {
    Counters {
        available: false,
        refused: Some(reason),
        cache_misses_per_switch: None,
        tlb_misses_per_switch: None,
    }
}

fn counters(session: &Session<'_>) -> Counters {
    // Checked before any array is built, since most virtual machines have no counters.
    if let Err(reason) = Misses::open() {
        return refused(reason);
    }
    let (cycle, steps) = half_of_last_level(&session.machine().topology.caches);
    let seat = session.seat(session.home_cpu(), Rank::Measured);
    let effort = Effort {
        time: session.budget(TIME, QUICK_TIME),
        rounds: MOST_ROUNDS,
        steps,
    };
    match rounds_of(RefillKind::Own, &cycle, seat, effort, Misses::open) {
        Ok(rounds) => figures(&rounds),
        Err(reason) => Counters {
            available: true,
            ..refused(reason)
        },
    }
}

fn figures(rounds: &Rounds) -> Counters {
    let of = |index: usize| -> Option<Estimate> {
        let samples: Vec<f64> = rounds
            .right
            .iter()
            .map(|round| round.added_counts[index])
            .collect();
        estimate(&samples)
    };
    let wrong = rounds.wrong();
    Counters {
        available: true,
        cache_misses_per_switch: of(0).filter(|_| wrong.is_none()),
        tlb_misses_per_switch: of(1).filter(|_| wrong.is_none()),
        refused: wrong,
    }
}

/// Both counters of the calling thread.
struct Misses {
    cache: Event,
    tlb: Event,
}

impl Misses {
    fn open() -> Result<Misses, String> {
        let open = |kinds: &[Kind]| -> io::Result<Event> {
            let mut last = Err(io::ErrorKind::Unsupported.into());
            for kind in kinds {
                // Read once, since only a reading shows whether there was a counter to spare.
                last = Event::open(*kind).and_then(|mut event| event.count().map(|_| event));
                if last.is_ok() {
                    break;
                }
            }
            last
        };
        let both = open(&[LAST_LEVEL_MISSES, CACHE_MISSES]).and_then(|cache| {
            let tlb = open(&[DATA_TLB_MISSES])?;
            Ok(Misses { cache, tlb })
        });
        both.map_err(|error| why(&error, &Tree::system(), USER_MODE_UP_TO))
    }
}

impl Witness for Misses {
    fn read(&mut self) -> [u64; 2] {
        // A counter that is lost between two readings shows as a difference that is zero or absurd, which the median tolerates.
        [&mut self.cache, &mut self.tlb].map(|event| event.count().unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Machine;
    use crate::probe::Plan;
    use crate::probe::refill::Round;
    use crate::processors;

    #[test]
    fn counters_or_the_reason() {
        let machine = Machine::observe();
        let mut watcher = ();
        let session = Session::new(Plan::quick(), &machine, &mut watcher);
        let _turn = processors::alone();
        let counters = counters(&session);
        assert_ne!(
            counters.cache_misses_per_switch.is_some(),
            counters.refused.is_some()
        );
        assert!(counters.available || counters.cache_misses_per_switch.is_none());
    }

    #[test]
    fn each_counter_has_its_own_figure() {
        let round = Round {
            added_ns: 1.0,
            added_counts: [300.0, 20.0],
        };
        let rounds = Rounds {
            right: vec![round; 8],
            made: 9,
        };
        let counters = figures(&rounds);
        assert_eq!(counters.cache_misses_per_switch.unwrap().median, 300.0);
        assert_eq!(counters.tlb_misses_per_switch.unwrap().median, 20.0);
        assert_eq!(counters.refused, None);
    }

    #[test]
    fn rounds_with_other_switches_have_no_figure() {
        let rounds = Rounds {
            right: vec![Round::default(); 3],
            made: 12,
        };
        let counters = figures(&rounds);
        assert!(counters.available && counters.cache_misses_per_switch.is_none());
        assert!(counters.refused.unwrap().starts_with("in 9 of 12 rounds"));
    }
}

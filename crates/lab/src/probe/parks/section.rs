//! The probe as a whole: by counters where the processor has them, else by time.

use std::time::Duration;

use super::counted::{Counter, counted};
use super::displacer::Displacer;
use super::hand_overs::Effort;
use super::{scale, timed};
use crate::clock::Clock;
use crate::machine::Caches;
use crate::platform::linux::Tree;
use crate::probe::counters::{Event, KERNEL_UP_TO, why};
use crate::probe::refill::line_bytes;
use crate::probe::scheduling::Rank;
use crate::probe::session::{Seat, Session};
use crate::probe::{MissesFoundBy, ParkMisses, Prices};
use crate::stats::{Estimate, estimate};

const TIME: Duration = Duration::from_millis(900);
const QUICK_TIME: Duration = Duration::from_millis(250);
const MOST_BLOCKS: usize = 301;
const ROUND_TRIPS: u32 = 200;

/// Size assumed for the second cache where the kernel does not report it.
const USUAL_SECOND_LEVEL: u64 = 1 << 20;
/// Larger data than this take too long to walk through.
const MOST_DISPLACING: u64 = 32 << 20;

/// Counts the cache misses of two threads that only park and unpark each other, on one CPU.
pub(in crate::probe) fn measure(session: &Session<'_>, prices: &mut Prices) {
    session.progress("cache misses of threads that park");
    let seat = session.seat(session.home_cpu(), Rank::Measured);
    let effort = Effort {
        time: session.budget(TIME, QUICK_TIME),
        blocks: MOST_BLOCKS,
        round_trips: ROUND_TRIPS,
    };
    prices.park_misses = Some(match session.interrupted() {
        true => refused("stopped before its turn".to_owned()),
        false => found(seat, effort, &session.machine().topology.caches),
    });
}

impl Counter for Event {
    fn count(&mut self) -> Result<u64, String> {
        Event::count(self).map_err(|error| why(&error, &Tree::system(), KERNEL_UP_TO))
    }
}

fn refused(reason: String) -> ParkMisses {
    ParkMisses {
        refused: Some(reason),
        ..ParkMisses::default()
    }
}

/// Measures in a thread of its own, from which the other side inherits CPU and policy.
fn found(seat: Seat, effort: Effort, caches: &Caches) -> ParkMisses {
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            if let Err(reason) = seat.take() {
                return refused(reason);
            }
            let open =
                || Event::of_misses().map_err(|error| why(&error, &Tree::system(), KERNEL_UP_TO));
            by_best(open, effort, caches)
        });
        let panicked = |_| refused("the timed thread panicked".to_owned());
        thread.join().unwrap_or_else(panicked)
    })
}

/// Counts with the counter that `open` opens, and without one, by time.
fn by_best<C: Counter>(
    open: impl FnOnce() -> Result<C, String>,
    effort: Effort,
    caches: &Caches,
) -> ParkMisses {
    let by_counter = open().and_then(|mut counter| {
        // Read once, since only a reading shows whether there was a counter to spare.
        counter.count()?;
        Ok(counter)
    });
    match by_counter {
        Ok(mut counter) => {
            let figures = counted(&mut counter, effort);
            let figure = figures.and_then(|it| estimate(&it).ok_or("not measurable".to_owned()));
            with_figure(MissesFoundBy::Counter, figure)
        }
        Err(reason) => ParkMisses {
            not_counted: Some(reason),
            ..by_time(effort, caches)
        },
    }
}

fn by_time(effort: Effort, caches: &Caches) -> ParkMisses {
    let measured = || {
        let mut displacer = Displacer::new(displacing(caches), line_bytes(caches))?;
        scale::measure(Clock::get(), &mut displacer)
    };
    match measured() {
        Err(reason) => refused(reason),
        Ok((scale, shown)) => ParkMisses {
            scale: Some(shown),
            ..with_figure(
                MissesFoundBy::Time,
                timed::timed(&scale, &shown, effort, |_| ()),
            )
        },
    }
}

fn with_figure(by: MissesFoundBy, figure: Result<Estimate, String>) -> ParkMisses {
    ParkMisses {
        per_switch: figure.as_ref().ok().copied(),
        found_by: figure.is_ok().then_some(by),
        refused: figure.err(),
        ..ParkMisses::default()
    }
}

/// Returns how many bytes displace a line from the first two caches: twice the second one, but at most half of the last.
fn displacing(caches: &Caches) -> usize {
    let second = caches.l2_bytes.unwrap_or(USUAL_SECOND_LEVEL);
    let last = caches.l3_bytes.unwrap_or(u64::MAX);
    let bytes = (2 * second).min(last / 2).clamp(1 << 16, MOST_DISPLACING);
    bytes.next_power_of_two() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    const EFFORT: Effort = Effort {
        time: Duration::from_millis(20),
        blocks: 15,
        round_trips: 100,
    };

    struct Steady(u64);

    impl Counter for Steady {
        fn count(&mut self) -> Result<u64, String> {
            self.0 += 28;
            Ok(self.0)
        }
    }

    fn on_one_cpu(work: impl FnOnce() -> ParkMisses + Send) -> ParkMisses {
        let cpu = crate::machine::Machine::observe().usable_cpus[0];
        let _turn = crate::processors::alone();
        std::thread::scope(|scope| {
            let thread = scope.spawn(move || {
                crate::machine::pin_current_thread(cpu).expect("a usable CPU");
                work()
            });
            thread.join().expect("it does not panic")
        })
    }

    #[test]
    fn a_counter_is_used_where_there_is_one() {
        let found = on_one_cpu(|| by_best(|| Ok(Steady(0)), EFFORT, &Caches::default()));
        assert_eq!((found.not_counted, found.scale), (None, None));
        // On a machine that is too busy there is a reason instead.
        match found.per_switch {
            Some(figure) => assert_eq!(figure.median, 0.14),
            None => assert!(found.refused.is_some()),
        }
    }

    #[test]
    fn without_a_counter_it_is_found_by_time_or_refused() {
        let none = || Err::<Steady, _>("no counters here".to_owned());
        let found = on_one_cpu(|| by_best(none, EFFORT, &Caches::default()));
        assert_eq!(found.not_counted.as_deref(), Some("no counters here"));
        assert_ne!(found.per_switch.is_some(), found.refused.is_some());
        let by_time = found.per_switch.map(|_| MissesFoundBy::Time);
        assert_eq!(found.found_by, by_time);
    }

    #[test]
    fn what_displaces_a_line_fits_into_the_last_cache() {
        let caches = |second: u64, last: u64| Caches {
            l2_bytes: Some(second << 20),
            l3_bytes: Some(last << 20),
            ..Caches::default()
        };
        assert_eq!(displacing(&caches(2, 64)), 4 << 20);
        assert_eq!(displacing(&caches(2, 4)), 2 << 20);
        assert_eq!(displacing(&caches(64, 256)), 32 << 20);
        assert_eq!(displacing(&Caches::default()), 2 << 20);
    }
}

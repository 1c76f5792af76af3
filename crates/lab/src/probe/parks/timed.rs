//! The figure by time: lines that miss the cache after a switch, beyond those that miss without one.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Release};

use super::hand_overs::{Effort, blocks};
use super::lines::{Lines, Tally};
use super::scale::Scale;
use crate::clock::Clock;
use crate::probe::AccessScale;
use crate::probe::series::LEAST_ROUNDS;
use crate::stats::{Estimate, estimate};

/// Of an event that did not occur in n trials, less than 3/n is likely (95 %).
const RULE_OF_THREE: f64 = 3.0;

/// Counts, by time, the misses of two threads that only park and unpark each other, for each switch: the share of their own lines
/// that miss, times the lines that a switch uses, in the kernel and in the program. These are used as often as the threads' own.
/// `disturb` is called by
/// the calling thread at each of its turns, before it loads its lines.
///
/// # Errors
/// The reason why there is no figure.
pub(super) fn timed(
    scale: &Scale,
    shown: &AccessScale,
    effort: Effort,
    disturb: impl Fn(&Lines),
) -> Result<Estimate, String> {
    let of_a_switch = shown.lines_of_a_switch / shown.recognised;
    let clock = Clock::get();
    let (mine, mut others) = (std::cell::RefCell::new(Lines::map()?), Lines::map()?);
    let others_so_far = [AtomicU64::new(0), AtomicU64::new(0)];
    let read_others = || {
        // Acquire: pairs with the Release of the other thread, which stores the second number last.
        let timed = others_so_far[1].load(Acquire);
        Tally {
            missed: others_so_far[0].load(Acquire),
            timed,
        }
    };
    let mut all = Tally::default();
    let made = blocks(
        effort,
        LEAST_ROUNDS,
        || {
            let mut lines = mine.borrow_mut();
            disturb(&lines);
            lines.visit(clock, scale);
        },
        || {
            others.visit(clock, scale);
            let tally = others.tally();
            others_so_far[0].store(tally.missed, Release);
            others_so_far[1].store(tally.timed, Release);
        },
        |turns| {
            let before = mine.borrow().tally().plus(read_others());
            let as_expected = turns()?;
            let between = mine.borrow().tally();
            let after_switches = between.plus(read_others()).since(before);
            for _ in 0..effort.round_trips {
                enter_the_kernel();
                mine.borrow_mut().visit(clock, scale);
            }
            let without = mine.borrow().tally().since(between);
            let figure = after_switches.share().zip(without.share());
            let figure = figure.map(|(with, without)| (with - without) * of_a_switch);
            if as_expected {
                all = all.plus(after_switches);
            }
            Ok(figure.filter(|_| as_expected))
        },
    )?;
    match made.wrong(LEAST_ROUNDS) {
        Some(reason) => Err(reason),
        None => within_resolution(&made.in_groups(), all.timed, of_a_switch)
            .ok_or_else(|| "not measurable".to_owned()),
    }
}

/// Makes a system call that neither sleeps nor wakes, in the place of a hand-over.
fn enter_the_kernel() {
    let nobody_waits = 0u32;
    // SAFETY: FUTEX_WAKE uses only the address; a wake-up that nobody waits for does nothing.
    unsafe {
        libc::syscall(
            libc::SYS_futex,
            &raw const nobody_waits,
            libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG,
            1,
        )
    };
}

/// Returns the estimate of these figures. Nothing misses less than never, and a number of `timed` loads cannot show that misses
/// are rarer than they can resolve.
fn within_resolution(figures: &[f64], timed: u64, of_a_switch: f64) -> Option<Estimate> {
    let found = estimate(figures)?;
    let resolution = RULE_OF_THREE * of_a_switch / timed.max(1) as f64;
    Some(Estimate {
        median: found.median.max(0.0),
        low: found.low.max(0.0),
        high: found.high.max(resolution),
        n: found.n,
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::displacer::Displacer;
    use super::super::scale;
    use super::*;
    use crate::machine::{Machine, pin_current_thread};

    const EFFORT: Effort = Effort {
        time: Duration::from_millis(30),
        blocks: 15,
        round_trips: 100,
    };

    #[test]
    fn no_miss_means_fewer_than_can_be_resolved() {
        let found = within_resolution(&[0.0; 9], 19_200, 64.0).unwrap();
        assert_eq!((found.median, found.low, found.high), (0.0, 0.0, 0.01));
        let some =
            within_resolution(&[-0.1, 0.1, 0.14, 0.14, 0.15, 0.2, 0.3], 19_200, 64.0).unwrap();
        assert_eq!((some.low, some.median, some.high), (0.0, 0.14, 0.3));
    }

    /// Lines that are flushed at every turn of one thread are found, and none else.
    #[test]
    fn planted_misses_are_counted() {
        let _turn = crate::processors::alone();
        let cpu = Machine::observe().usable_cpus[0];
        let found = std::thread::spawn(move || {
            pin_current_thread(cpu).map_err(|error| error.to_string())?;
            let mut displacer = Displacer::new(4 << 20, 64)?;
            let (scale, shown) = scale::measure(Clock::get(), &mut displacer)?;
            let shown = AccessScale {
                lines_of_a_switch: 100.0,
                ..shown
            };
            let with = |lines: usize| timed(&scale, &shown, EFFORT, |set| set.flush_next(lines));
            Ok::<_, String>((with(0)?, with(2)?))
        });
        let (none, two) = match found.join().unwrap() {
            Ok(found) => found,
            // A machine that is too busy, or whose times cannot be distinguished, has no figure.
            Err(reason) => return locktoll_needs::refused(&reason),
        };
        // Two of the eight timed lines of one of the two threads: an eighth of all lines.
        let planted = 100.0 / 8.0;
        assert!(
            (0.7 * planted..=1.4 * planted).contains(&(two.median - none.median)),
            "{none:?}, {two:?}"
        );
        assert!(none.median < planted / 4.0, "{none:?}");
    }
}

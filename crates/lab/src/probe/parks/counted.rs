//! The figure of a counter: all misses of both threads, over all their switches.

use super::hand_overs::{Blocks, Effort, blocks};
use crate::probe::series::LEAST_ROUNDS;

/// Counts for the calling thread and for the threads that it starts.
pub(super) trait Counter {
    /// Returns the count so far.
    ///
    /// # Errors
    /// The reason why there is none.
    fn count(&mut self) -> Result<u64, String>;
}

/// Counts what `counter` counts while the calling thread and another one, which it starts, only park and unpark each other; for
/// each switch.
///
/// # Errors
/// The reason why there is no figure.
pub(super) fn counted(counter: &mut impl Counter, effort: Effort) -> Result<Vec<f64>, String> {
    let switches = 2.0 * f64::from(effort.round_trips);
    let made: Blocks = blocks(
        effort,
        LEAST_ROUNDS,
        || (),
        || (),
        |turns| {
            let before = counter.count()?;
            let as_expected = turns()?;
            let counted = counter.count()?.saturating_sub(before);
            Ok(as_expected.then_some(counted as f64 / switches))
        },
    )?;
    made.wrong(LEAST_ROUNDS).map_or(Ok(made.in_groups()), Err)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::probe::counters::Event;

    const EFFORT: Effort = Effort {
        time: Duration::from_millis(20),
        blocks: 40,
        round_trips: 100,
    };

    /// Advances by this many at each reading.
    struct Steady(u64, u64);

    impl Counter for Steady {
        fn count(&mut self) -> Result<u64, String> {
            self.0 += self.1;
            Ok(self.0)
        }
    }

    fn on_one_cpu<T: Send>(work: impl FnOnce() -> Result<T, String> + Send) -> Result<T, String> {
        let cpu = crate::machine::Machine::observe().usable_cpus[0];
        std::thread::scope(|scope| {
            let thread = scope.spawn(move || {
                crate::machine::pin_current_thread(cpu).map_err(|error| error.to_string())?;
                work()
            });
            thread.join().expect("it does not panic")
        })
    }

    #[test]
    fn misses_are_divided_by_the_switches_of_both_threads() {
        let _turn = crate::processors::alone();
        // A machine that is too busy has no figure, and this test nothing to check.
        if let Ok(figures) = on_one_cpu(|| counted(&mut Steady(0, 28), EFFORT)) {
            assert!(figures.iter().all(|it| *it == 0.14), "{figures:?}");
        }
    }

    #[test]
    fn a_counter_that_stops_is_a_reason() {
        struct Stopped;
        impl Counter for Stopped {
            fn count(&mut self) -> Result<u64, String> {
                Err("no counter left".to_owned())
            }
        }
        assert_eq!(
            counted(&mut Stopped, EFFORT),
            Err("no counter left".to_owned())
        );
    }

    /// The kernel's own counter of switches is read in the same way as one of misses: it must count one for each switch, and
    /// those of both threads.
    #[test]
    fn the_events_of_both_threads_are_counted() {
        let _turn = crate::processors::alone();
        let figures = on_one_cpu(|| match Event::of_switches() {
            Ok(mut event) => counted(&mut event, EFFORT),
            Err(reason) => Err(reason.to_string()),
        });
        let figures = match figures {
            Ok(figures) => figures,
            Err(reason) => return locktoll_needs::refused(&reason),
        };
        let mean = figures.iter().sum::<f64>() / figures.len() as f64;
        assert!((0.9..1.1).contains(&mean), "{figures:?}");
    }
}

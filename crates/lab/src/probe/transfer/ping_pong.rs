//! Two threads on two CPUs pass a number to and fro in one cache line.
//!
//! Each waits for the other by plain loads and answers by a plain store: no atomic read-modify-write, no pause hint (whose
//! length differs tenfold between processors), nothing else in the line.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::time::{Duration, Instant};

use crate::clock::Clock;
use crate::probe::session::Seat;

/// Sent to the other thread in place of a number.
const STOP: u64 = u64::MAX;

/// A line that goes to and fro; 128 bytes, since some processors fetch lines in pairs.
#[repr(align(128))]
struct Line(AtomicU64);

/// How much to measure for a pair of CPUs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// Round trips in a batch.
    pub(super) round_trips: u64,
    /// Batches that count; one more runs before them.
    pub(super) batches: usize,
    /// No batch starts after this time, counted from the first batch.
    pub(super) limit: Duration,
}

/// Number of lines used in turn, one batch each: the distance of a line also depends on its address, which selects the slice of
/// the last-level cache or the memory controller responsible for it.
const LINES: usize = 16;

/// Returns half a round trip in nanoseconds, one sample per batch, begun by a thread on CPU `from` and answered by one on `to`.
///
/// The lines are touched first by `from`, so with several memory nodes that is where they live. Neither direction can be timed
/// alone unless the clocks of two CPUs agree to a nanosecond; `from` and `to` differ only in which of them begins and where the
/// lines live.
///
/// # Errors
/// A sentence that says why not: a CPU that may not be used, or threads that did not run within the limit.
pub(super) fn one_way_ns(from: Seat, to: Seat, effort: Effort) -> Result<Vec<f64>, String> {
    let clock = Clock::get();
    std::thread::scope(|scope| {
        let begin = scope.spawn(move || -> Result<Vec<f64>, String> {
            from.take()?;
            // Allocated by this thread, which thus touches them first.
            let lines: Vec<Line> = (0..=LINES).map(|_| Line(AtomicU64::new(0))).collect();
            let (ready, lines) = lines.split_first().expect("LINES and one");
            std::thread::scope(|scope| {
                let answer = scope.spawn(move || {
                    to.take()?;
                    // Release: says only that this thread runs.
                    ready.0.store(1, Release);
                    answer_all(lines, effort.round_trips);
                    Ok::<(), String>(())
                });
                // The other thread ends at once if it may not run there; then nobody would answer.
                let runs = comes_to_run(ready, effort.limit, || answer.is_finished());
                let samples = if runs {
                    ask_all(lines, clock, effort)
                } else {
                    Vec::new()
                };
                for line in lines {
                    line.0.store(STOP, Release);
                }
                answer
                    .join()
                    .map_err(|_| "the answering thread panicked".to_owned())??;
                match samples.is_empty() {
                    true => Err(format!("no answer within {:?}", effort.limit)),
                    false => Ok(samples),
                }
            })
        });
        begin
            .join()
            .map_err(|_| "the asking thread panicked".to_owned())?
    })
}

/// Waits until the other thread runs, which may never happen.
fn comes_to_run(ready: &Line, limit: Duration, gone: impl Fn() -> bool) -> bool {
    let waiting_since = Instant::now();
    while ready.0.load(Acquire) == 0 {
        if gone() || waiting_since.elapsed() > limit {
            return false;
        }
        std::thread::yield_now();
    }
    true
}

/// Yields at every 65,536th look, long after any line has arrived. If both threads end up on one CPU (the other was taken
/// offline, or a control group lost it), the spinning thread would otherwise never let the other run under `SCHED_FIFO`.
#[inline(always)]
fn let_others_run_if(looks: &mut u16) {
    *looks = looks.wrapping_add(1);
    if *looks == 0 {
        std::thread::yield_now();
    }
}

/// Odd numbers are questions; the even numbers after them are answers.
fn ask_all(lines: &[Line], clock: &Clock, effort: Effort) -> Vec<f64> {
    let mut samples = Vec::with_capacity(effort.batches);
    let began = Instant::now();
    let mut number = 1;
    for (batch, line) in (0..=effort.batches).zip(lines.iter().cycle()) {
        let start = clock.now();
        for _ in 0..effort.round_trips {
            // Release and Acquire: as a lock's word is passed on. On x86-64 these are plain moves.
            line.0.store(number, Release);
            let mut looks = 0;
            while line.0.load(Acquire) != number + 1 {
                let_others_run_if(&mut looks);
            }
            number += 2;
        }
        let elapsed_ns = clock.ns(clock.now() - start) - clock.cost_ns();
        // The first batch brings the processors up to speed.
        if batch > 0 {
            samples.push(elapsed_ns / (2 * effort.round_trips) as f64);
        }
        if began.elapsed() > effort.limit {
            break;
        }
    }
    samples
}

/// Answers until [`STOP`] arrives; goes on to the next line when the asking thread does.
fn answer_all(lines: &[Line], round_trips: u64) {
    let mut number = 1;
    for line in lines.iter().cycle() {
        for _ in 0..round_trips {
            // Release and Acquire: as above.
            let mut looks = 0;
            loop {
                match line.0.load(Acquire) {
                    STOP => return,
                    seen if seen == number => break,
                    _ => let_others_run_if(&mut looks),
                }
            }
            line.0.store(number + 1, Release);
            number += 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Machine;
    use crate::probe::Plan;
    use crate::probe::scheduling::Rank;
    use crate::probe::session::Session;
    use crate::processors;

    const SMALL: Effort = Effort {
        round_trips: 10,
        batches: 7,
        limit: Duration::from_secs(20),
    };

    #[test]
    fn a_batch_a_sample() {
        let machine = Machine::observe();
        let mut watcher = ();
        let session = Session::new(Plan::quick(), &machine, &mut watcher);
        let [from, to, ..] = machine.usable_cpus[..] else {
            return;
        };
        let seats = [from, to].map(|cpu| session.seat(cpu, Rank::Measured));
        let _turn = processors::alone();
        let samples = one_way_ns(seats[0], seats[1], SMALL).unwrap();
        assert_eq!(samples.len(), SMALL.batches);
        // Nothing travels to another core and back within ten cycles.
        assert!(samples.iter().all(|ns| *ns > 1.0), "{samples:?}");
    }

    #[test]
    fn two_threads_on_one_cpu_come_to_an_end() {
        let machine = Machine::observe();
        let mut watcher = ();
        let session = Session::new(Plan::quick(), &machine, &mut watcher);
        let seat = session.seat(machine.usable_cpus[0], Rank::Measured);
        let once = Effort {
            round_trips: 2,
            batches: 1,
            limit: Duration::from_secs(20),
        };
        let _turn = processors::alone();
        assert!(one_way_ns(seat, seat, once).is_ok());
    }

    #[test]
    fn a_cpu_that_does_not_exist_is_a_reason() {
        let machine = Machine::observe();
        let mut watcher = ();
        let session = Session::new(Plan::quick(), &machine, &mut watcher);
        let [here, nowhere] =
            [machine.usable_cpus[0], 60_000].map(|cpu| session.seat(cpu, Rank::Measured));
        for (from, to) in [(here, nowhere), (nowhere, here)] {
            let reason = one_way_ns(from, to, SMALL).unwrap_err();
            assert!(reason.contains("60000"), "{reason}");
        }
    }
}

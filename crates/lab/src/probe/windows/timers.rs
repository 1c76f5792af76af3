//! The resolution of timed wake-ups: the reported one, and the length of a sleep of a millisecond.

use windows_sys::Win32::Foundation::STATUS_SUCCESS;
use windows_sys::Win32::System::Threading::Sleep;

use super::ntdll::TIMER_RESOLUTION;
use crate::clock::Clock;
use crate::probe::scheduling::Rank;
use crate::probe::series::LEAST_ROUNDS;
use crate::probe::session::{Seat, Session};
use crate::probe::{Group, Part, Prices};
use crate::stats::{Estimate, estimate};

/// The unit in which the intervals of the timer are reported.
const UNIT_NS: f64 = 100.0;

/// The intervals of the timer interrupt, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Resolution {
    coarsest_ns: f64,
    finest_ns: f64,
    current_ns: f64,
}

impl Resolution {
    fn read() -> Result<Resolution, String> {
        let call = TIMER_RESOLUTION.get()?;
        let (mut coarsest, mut finest, mut current) = (0, 0, 0);
        // SAFETY: the three results go to three variables of ours.
        match unsafe { call(&raw mut coarsest, &raw mut finest, &raw mut current) } {
            STATUS_SUCCESS => Ok(Resolution {
                coarsest_ns: f64::from(coarsest) * UNIT_NS,
                finest_ns: f64::from(finest) * UNIT_NS,
                current_ns: f64::from(current) * UNIT_NS,
            }),
            status => Err(format!("NtQueryTimerResolution: status {status:#x}")),
        }
    }
}

/// The result of a round: the intervals as reported, and the length of a sleep.
type Round = (Resolution, f64);

/// Measures the lines of the timer and of the sleep.
pub(in crate::probe) fn measure(session: &Session<'_>, prices: &mut Prices) {
    session.progress("Sleep(1)");
    let rounds = rounds(session);
    let figure = |of: fn(&Round) -> f64| match &rounds {
        Ok(rounds) => figure(rounds.iter().map(of)),
        Err(reason) => Err(reason.clone()),
    };
    let resolution = Part::new(
        "timer-resolution",
        "interval of the timer interrupt, as told",
        Group::Clock,
        "NtQueryTimerResolution: the current one",
    )
    .value(figure(|(told, _)| told.current_ns));
    prices
        .parts
        .push(match rounds.as_deref().map(<[Round]>::last) {
            Ok(Some((told, _))) => resolution.note(range(told)),
            _ => resolution,
        });
    prices.parts.push(
        Part::new(
            "sleep-1ms",
            "Sleep(1)",
            Group::Clock,
            "Sleep(1), from the call until it has returned: one a sample",
        )
        .value(figure(|(_, sleep_ns)| *sleep_ns)),
    );
}

fn range(told: &Resolution) -> String {
    format!(
        "programs may ask for {} to {} ms (timeBeginPeriod)",
        told.finest_ns / 1e6,
        told.coarsest_ns / 1e6
    )
}

fn figure(values: impl Iterator<Item = f64>) -> Result<Estimate, String> {
    let values: Vec<f64> = values.collect();
    estimate(&values)
        .filter(|_| values.len() >= LEAST_ROUNDS)
        .ok_or_else(|| format!("stopped after {} of {LEAST_ROUNDS} rounds", values.len()))
}

/// Runs the rounds, one thread per round, so that the user may stop between them.
fn rounds(session: &Session<'_>) -> Result<Vec<Round>, String> {
    let seat = session.seat(session.home_cpu(), Rank::Measured);
    let mut rounds = Vec::new();
    while rounds.len() < session.rounds() && !session.interrupted() {
        let round = std::thread::spawn(move || one_round(seat));
        rounds.push(
            round
                .join()
                .unwrap_or_else(|_| Err("the measuring thread panicked".into()))?,
        );
    }
    Ok(rounds)
}

fn one_round(seat: Seat) -> Result<Round, String> {
    seat.take()?;
    let told = Resolution::read()?;
    let clock = Clock::get();
    let start = clock.now();
    // SAFETY: a plain number.
    unsafe { Sleep(1) };
    Ok((told, clock.ns(clock.now() - start)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_finest_interval_is_no_coarser_than_the_coarsest() {
        let told = Resolution::read().unwrap();
        assert!(0.0 < told.finest_ns && told.finest_ns <= told.coarsest_ns);
        assert!(told.current_ns <= told.coarsest_ns, "{told:?}");
    }

    #[test]
    fn intervals_are_told_in_milliseconds() {
        let told = Resolution {
            coarsest_ns: 15_625_000.0,
            finest_ns: 500_000.0,
            current_ns: 1_000_000.0,
        };
        assert_eq!(
            range(&told),
            "programs may ask for 0.5 to 15.625 ms (timeBeginPeriod)"
        );
    }

    #[test]
    fn few_rounds_are_no_figure() {
        assert!(figure([1.0; LEAST_ROUNDS].into_iter()).is_ok());
        let reason = figure([1.0; LEAST_ROUNDS - 1].into_iter()).unwrap_err();
        assert_eq!(reason, "stopped after 5 of 6 rounds");
    }
}

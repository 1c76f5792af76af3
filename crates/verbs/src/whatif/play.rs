//! The order of the runs. Uses no process: [`Runs`] says what one run is.

use std::time::Duration;

use super::chosen::Chosen;
use super::rounds::{Measured, Round, Rounds};
use crate::trial::Draw;

/// Rounds at most, unless the user asks for more.
const MOST_ROUNDS: usize = 15;
/// Rounds at least: with fewer, no interval reaches 95 %.
pub const LEAST_ROUNDS: usize = 6;

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    /// It counts.
    Counts(Measured),
    /// It failed, and why.
    Failed(String),
    /// The user has asked to stop, or the time is over.
    Stopped,
}

/// Runs the program.
pub trait Runs {
    /// Runs the program once with the holds of `lock` longer by `percent`.
    ///
    /// # Errors
    /// If the program cannot be started at all.
    fn run(&mut self, lock: usize, percent: u32) -> anyhow::Result<Ended>;

    /// Returns the time that is left for all runs.
    fn left(&self) -> Duration;

    /// Takes note of what comes next.
    fn next(&mut self, round: usize, rounds: usize);
}

/// What was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// By lock.
    pub rounds: Vec<Rounds>,
    /// The rounds that were planned.
    pub planned: usize,
    /// Whether it ended before they were complete.
    pub is_partial: bool,
}

/// Why nothing can be played.
#[derive(Debug, thiserror::Error)]
pub enum Unplayable {
    /// The program fails without a change.
    #[error("the program fails under locktoll's library although no hold was lengthened: {0}")]
    Base(String),
    /// It was stopped before anything was measured.
    #[error("interrupted, or out of time (--time-limit), before anything was measured")]
    Stopped,
    /// The rounds do not fit.
    #[error(
        "one round takes about {round_s:.0} s, and {LEAST_ROUNDS} are needed for a verdict: give --time-limit {needed_s:.0}s, fewer \
         locks or lengths (--slow), or give the program less work"
    )]
    TooLong {
        /// The time of one round.
        round_s: f64,
        /// The time that would do.
        needed_s: f64,
    },
    /// The program cannot be run.
    #[error("{0:#}")]
    Run(#[from] anyhow::Error),
}

/// Plays a warm-up, and then as many rounds as asked for, or as fit.
///
/// # Errors
/// [`Unplayable`].
pub fn play(
    runs: &mut dyn Runs,
    chosen: &[Chosen],
    wanted: Option<usize>,
    seed: u64,
) -> Result<Played, Unplayable> {
    let before = runs.left();
    // Not counted: the first run of a program fills caches, and shows how long a run takes.
    for lock in 0..chosen.len() {
        match runs.run(lock, 0)? {
            Ended::Counts(_) => {}
            Ended::Failed(why) => return Err(Unplayable::Base(why)),
            Ended::Stopped => return Err(Unplayable::Stopped),
        }
    }
    let one_run = before.saturating_sub(runs.left()).as_secs_f64() / chosen.len().max(1) as f64;
    let lengthened = |percent: &u32| 1.0 + f64::from(*percent) / 100.0;
    let of_lock = |it: &Chosen| 2.0 + it.percents.iter().map(lengthened).sum::<f64>();
    let round_s = one_run * chosen.iter().map(of_lock).sum::<f64>();
    let fitting = (0.9 * runs.left().as_secs_f64() / round_s.max(1e-9)) as usize;
    let planned = match wanted {
        Some(wanted) => wanted,
        None if fitting < LEAST_ROUNDS => {
            let taken = before.saturating_sub(runs.left()).as_secs_f64();
            return Err(Unplayable::TooLong {
                round_s,
                needed_s: (taken + LEAST_ROUNDS as f64 * round_s * 1.2).ceil(),
            });
        }
        None => fitting.min(MOST_ROUNDS),
    };
    let mut played = Played {
        rounds: chosen.iter().map(none).collect(),
        planned,
        is_partial: false,
    };
    let mut draw = Draw::new(seed);
    for number in 0..planned {
        runs.next(number + 1, planned);
        if !round(runs, &mut played.rounds, &mut draw)? {
            played.is_partial = true;
            break;
        }
    }
    Ok(played)
}

fn none(chosen: &Chosen) -> Rounds {
    Rounds {
        percents: chosen.percents.clone(),
        ..Rounds::default()
    }
}

/// Plays one round of all locks, whose runs are mixed. Returns whether it is complete.
fn round(runs: &mut dyn Runs, rounds: &mut [Rounds], draw: &mut Draw) -> Result<bool, Unplayable> {
    let mut order: Vec<(usize, u32)> = Vec::new();
    for (lock, of_lock) in rounds.iter().enumerate() {
        if of_lock.dropped.is_none() {
            order.extend([(lock, 0), (lock, 0)]);
            order.extend(of_lock.percents.iter().map(|percent| (lock, *percent)));
        }
    }
    draw.shuffle(&mut order);
    let mut found: Vec<Vec<(u32, Measured)>> = vec![Vec::new(); rounds.len()];
    for (lock, percent) in order {
        if rounds[lock].dropped.is_some() {
            continue;
        }
        match runs.run(lock, percent)? {
            Ended::Counts(measured) => found[lock].push((percent, measured)),
            Ended::Failed(why) => {
                rounds[lock].dropped = Some(match percent {
                    0 => why,
                    percent => format!("with holds {percent} % longer: {why}"),
                });
            }
            Ended::Stopped => return Ok(false),
        }
    }
    for (of_lock, found) in rounds.iter_mut().zip(found) {
        let with = |percent: u32| {
            let matching = found.iter().filter(move |(it, _)| *it == percent);
            matching.map(|(_, measured)| *measured)
        };
        let mut base = with(0);
        if let (Some(first), Some(second)) = (base.next(), base.next()) {
            let longer: Vec<Measured> = of_lock.percents.iter().flat_map(|it| with(*it)).collect();
            if longer.len() == of_lock.percents.len() {
                of_lock.rounds.push(Round {
                    base: [first, second],
                    longer,
                });
            }
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests;

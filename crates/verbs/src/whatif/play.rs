//! The order of the runs. Uses no process: [`Runs`] says what one run is.

use std::time::Duration;

use super::change::{Change, Direction};
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
    /// Runs the program once with this change of the holds of a lock.
    ///
    /// # Errors
    /// If the program cannot be started at all.
    fn run(&mut self, lock: usize, change: Change) -> anyhow::Result<Ended>;

    /// Returns the time that is left for all runs.
    fn left(&self) -> Duration;

    /// Takes note of what comes next.
    fn next(&mut self, round: usize, rounds: usize);
}

/// What was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// By lock and direction.
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
    #[error("the program fails under locktoll's library although no hold was changed: {0}")]
    Base(String),
    /// It was stopped before anything was measured.
    #[error("interrupted, or out of time (--time-limit), before anything was measured")]
    Stopped,
    /// The rounds do not fit.
    #[error(
        "one round takes about {round_s:.0} s, and {LEAST_ROUNDS} are needed for a verdict: give --time-limit {needed_s:.0}s, fewer \
         locks or changes (--fast, --slow), or give the program less work"
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
    let mut experiments = Vec::new();
    for (lock, chosen) in chosen.iter().enumerate() {
        for (direction, percents) in &chosen.changes {
            experiments.push(Rounds::new(lock, *direction, percents.clone()));
        }
    }
    // Not counted: the first run of a program fills caches, and shows how long a run takes.
    for it in &mut experiments {
        match runs.run(it.lock, it.change(0))? {
            Ended::Counts(_) => {}
            Ended::Failed(why) => it.dropped = Some(why),
            Ended::Stopped => return Err(Unplayable::Stopped),
        }
    }
    let first_why = experiments.iter().find_map(|it| it.dropped.clone());
    if let (Some(why), true) = (first_why, experiments.iter().all(|it| it.dropped.is_some())) {
        return Err(Unplayable::Base(why));
    }
    let one_run = before.saturating_sub(runs.left()).as_secs_f64() / experiments.len() as f64;
    let longer = |percent: &u32| 1.0 + f64::from(*percent) / 100.0;
    let of_each = |it: &Rounds| 2.0 + it.percents.iter().map(longer).sum::<f64>();
    let round_s = one_run * experiments.iter().map(of_each).sum::<f64>();
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
        rounds: experiments,
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

/// Plays one round of all experiments, whose runs are mixed. Returns whether it is complete.
fn round(runs: &mut dyn Runs, rounds: &mut [Rounds], draw: &mut Draw) -> Result<bool, Unplayable> {
    let mut order: Vec<(usize, u32)> = Vec::new();
    for (number, experiment) in rounds.iter().enumerate() {
        if experiment.dropped.is_none() {
            order.extend([(number, 0), (number, 0)]);
            order.extend(experiment.percents.iter().map(|percent| (number, *percent)));
        }
    }
    draw.shuffle(&mut order);
    let mut found: Vec<Vec<(u32, Measured)>> = vec![Vec::new(); rounds.len()];
    for (number, percent) in order {
        let experiment = &mut rounds[number];
        if experiment.dropped.is_some() {
            continue;
        }
        match runs.run(experiment.lock, experiment.change(percent))? {
            Ended::Counts(measured) => found[number].push((percent, measured)),
            Ended::Failed(why) => {
                experiment.dropped = Some(match (percent, experiment.direction) {
                    (0, _) => why,
                    (_, Direction::Slow) => format!("with holds {percent} % longer: {why}"),
                    (_, Direction::Fast) => format!("with holds {percent} % shorter: {why}"),
                });
            }
            Ended::Stopped => return Ok(false),
        }
    }
    for (experiment, found) in rounds.iter_mut().zip(found) {
        let with = |percent: u32| {
            let matching = found.iter().filter(move |(it, _)| *it == percent);
            matching.map(|(_, measured)| *measured)
        };
        let mut base = with(0);
        if let (Some(first), Some(second)) = (base.next(), base.next()) {
            let percents = experiment.percents.iter();
            let changed: Vec<Measured> = percents.flat_map(|it| with(*it)).collect();
            if changed.len() == experiment.percents.len() {
                experiment.rounds.push(Round {
                    base: [first, second],
                    changed,
                });
            }
        }
    }
    Ok(true)
}

impl Rounds {
    fn change(&self, percent: u32) -> Change {
        Change {
            direction: self.direction,
            percent,
        }
    }
}

#[cfg(test)]
mod tests;

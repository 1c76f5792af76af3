//! The order of runs with several numbers of threads, and what they show. Knows no process.

use std::time::Duration;

use locktoll_lab::stats::{Estimate, estimate};
use locktoll_results::advice::{Gain, SweptThreads};
use locktoll_results::trial::Better;

use crate::trial::Draw;

/// Rounds at least: with fewer, no interval reaches 95 %.
const LEAST_ROUNDS: usize = 6;
/// Rounds at most.
const MOST_ROUNDS: usize = 11;

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    /// With this metric.
    Counts(f64),
    /// It failed, and why.
    Failed(String),
    /// The user has asked to stop, or the time is over.
    Stopped,
}

/// Runs the program.
pub trait ThreadRuns {
    /// Runs the program once with the number of threads at this index.
    ///
    /// # Errors
    /// If the program cannot be started at all.
    fn run(&mut self, index: usize) -> anyhow::Result<Ended>;

    /// Returns the time that is left for all runs.
    fn left(&self) -> Duration;
}

/// What was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Swept {
    /// By the index of the number of threads: the metric of each round; fewer if it failed.
    metrics: Vec<Vec<f64>>,
    /// By the same index: why it was dropped.
    failed: Vec<Option<String>>,
    /// Whether it was stopped before enough rounds were complete.
    pub is_partial: bool,
}

/// Runs `numbers` numbers of threads once without counting, and then in rounds, each in an order drawn anew.
///
/// # Errors
/// As [`ThreadRuns::run`].
pub fn play(runs: &mut dyn ThreadRuns, numbers: usize, seed: u64) -> anyhow::Result<Swept> {
    let mut swept = Swept {
        metrics: vec![Vec::new(); numbers],
        failed: vec![None; numbers],
        is_partial: false,
    };
    let mut draw = Draw::new(seed);
    let before = runs.left();
    // The first run of each fills caches, and shows how long a round takes.
    if !round(runs, &mut swept, &mut draw, false)? {
        swept.is_partial = true;
        return Ok(swept);
    }
    let one = before
        .saturating_sub(runs.left())
        .max(Duration::from_millis(1));
    for played in 0..MOST_ROUNDS {
        if played >= LEAST_ROUNDS && runs.left() < one {
            break;
        }
        if !round(runs, &mut swept, &mut draw, true)? {
            swept.is_partial = played < LEAST_ROUNDS;
            break;
        }
    }
    Ok(swept)
}

/// Plays one round; `false` if it was stopped. A round that was not complete does not count.
fn round(
    runs: &mut dyn ThreadRuns,
    swept: &mut Swept,
    draw: &mut Draw,
    counts: bool,
) -> anyhow::Result<bool> {
    let mut order: Vec<usize> = (0..swept.failed.len())
        .filter(|it| swept.failed[*it].is_none())
        .collect();
    draw.shuffle(&mut order);
    let mut found = Vec::new();
    for index in order {
        match runs.run(index)? {
            Ended::Counts(metric) if metric.is_finite() && metric > 0.0 => {
                found.push((index, metric))
            }
            Ended::Counts(_) => {
                swept.failed[index] = Some("its metric is not above zero".to_owned())
            }
            Ended::Failed(why) => swept.failed[index] = Some(why),
            Ended::Stopped => return Ok(false),
        }
    }
    if counts {
        for (index, metric) in found {
            swept.metrics[index].push(metric);
        }
    }
    Ok(true)
}

/// Returns a row for each number of threads. Ratios are those of the rounds that have both numbers.
pub fn rows(swept: &Swept, numbers: &[u32], current: u32, better: Better) -> Vec<SweptThreads> {
    let now = numbers
        .iter()
        .position(|it| *it == current)
        .map_or(&[][..], |index| &swept.metrics[index]);
    let row = |(index, threads): (usize, &u32)| {
        let pairs = swept.metrics[index].iter().zip(now);
        let ratios: Vec<f64> = pairs
            .map(|(metric, now)| match better {
                Better::Higher => metric / now,
                Better::Lower => now / metric,
            })
            .collect();
        let ratio = match swept.failed[index] {
            None => estimate(&ratios),
            Some(_) => None,
        };
        SweptThreads {
            threads: *threads,
            is_current: *threads == current,
            ratio: ratio.map(gain),
            rounds: ratio.map_or(0, |it| it.n),
            reason: match (&swept.failed[index], ratio) {
                (Some(why), _) => Some(why.clone()),
                (None, None) => Some("no round was complete".to_owned()),
                (None, Some(_)) => None,
            },
        }
    };
    numbers.iter().enumerate().map(row).collect()
}

fn gain(estimate: Estimate) -> Gain {
    Gain {
        median: estimate.median,
        low: estimate.low,
        high: estimate.high,
    }
}

/// Returns the best number of threads, if it is faster than the current one for certain.
pub fn best(rows: &[SweptThreads]) -> Option<(&SweptThreads, Gain)> {
    let faster = rows
        .iter()
        .filter(|it| !it.is_current && it.rounds >= LEAST_ROUNDS);
    let faster = faster.filter_map(|it| Some((it, it.ratio.filter(|gain| gain.low > 1.02)?)));
    faster.max_by(|a, b| a.1.median.total_cmp(&b.1.median))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two threads take half the time of one; four fail; each run takes a second.
    struct MadeUp {
        left: u64,
        runs: u64,
    }

    impl ThreadRuns for MadeUp {
        fn run(&mut self, index: usize) -> anyhow::Result<Ended> {
            self.runs += 1;
            if self.left == 0 {
                return Ok(Ended::Stopped);
            }
            self.left -= 1;
            let noise = 1.0 + (self.runs % 5) as f64 / 100.0;
            Ok(match index {
                0 => Ended::Counts(10.0 * noise),
                1 => Ended::Counts(5.0 * noise),
                _ => Ended::Failed("too many".to_owned()),
            })
        }

        fn left(&self) -> Duration {
            Duration::from_secs(self.left)
        }
    }

    #[test]
    fn the_faster_number_is_found_and_the_failed_one_named() {
        let mut runs = MadeUp { left: 100, runs: 0 };
        let swept = play(&mut runs, 3, 1).unwrap();
        let rows = rows(&swept, &[1, 2, 4], 1, Better::Lower);
        assert!(!swept.is_partial);
        let (best, gain) = best(&rows).unwrap();
        assert_eq!((best.threads, best.rounds), (2, MOST_ROUNDS));
        assert!((gain.median - 2.0).abs() < 0.1, "{gain:?}");
        assert_eq!(rows[2].reason.as_deref(), Some("too many"));
        assert!(rows[0].is_current && rows[2].ratio.is_none());
    }

    #[test]
    fn too_little_time_decides_nothing() {
        for left in 0..12 {
            let swept = play(&mut MadeUp { left, runs: 0 }, 3, 1).unwrap();
            assert!(swept.is_partial);
            assert!(best(&rows(&swept, &[1, 2, 4], 1, Better::Lower)).is_none());
        }
        // The same metric is not faster.
        let swept = play(&mut MadeUp { left: 100, runs: 0 }, 1, 1).unwrap();
        assert!(best(&rows(&swept, &[1], 1, Better::Higher)).is_none());
    }
}

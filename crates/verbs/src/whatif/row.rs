//! From the rounds of one lock to its row in the result.

use locktoll_lab::stats::Estimate;
use locktoll_results::profile::{Lock, Profile};
use locktoll_results::trial::Better;
use locktoll_results::whatif::{ByMethod, Experiment, WhatIfLock, WhatIfVerdict};
use locktoll_terminal::quantity::duration;

use super::change::{Change, Direction};
use super::chosen::Chosen;
use super::gains::{Gains, gains};
use super::limit::Limit;
use super::play::Played;
use super::response::{Response, response};
use super::rounds::Rounds;
use super::sped_up;

/// The surroundings of the figures.
pub struct Surroundings<'a> {
    /// The recorded run.
    pub profile: &'a Profile,
    /// Whether a higher metric is better.
    pub better: Better,
    /// The number of processors.
    pub cpus: usize,
    /// Its load uses the processors too, and its CPU time is not counted.
    pub is_server: bool,
}

impl Surroundings<'_> {
    /// Makes the rows, and a row per change that was measured.
    pub fn all(&self, chosen: &[Chosen], played: &Played) -> (Vec<WhatIfLock>, Vec<Experiment>) {
        let mut experiments = Vec::new();
        let locks = chosen.iter().enumerate().map(|(number, chosen)| {
            let of_lock = played.rounds.iter().filter(|it| it.lock == number);
            self.one(chosen, &of_lock.collect::<Vec<_>>(), &mut experiments)
        });
        (locks.collect(), experiments)
    }

    fn one(
        &self,
        chosen: &Chosen,
        all: &[&Rounds],
        experiments: &mut Vec<Experiment>,
    ) -> WhatIfLock {
        let lock = &chosen.lock;
        let mut row = WhatIfLock {
            lock: lock.id.clone(),
            name: lock.name.clone(),
            kind: lock.kind,
            wait_share: chosen.wait_share,
            is_longest_wait: chosen.is_longest_wait,
            gains: std::collections::BTreeMap::new(),
            by: None,
            by_method: Vec::new(),
            agree: None,
            slope: None,
            bend: None,
            is_bent: false,
            method: Vec::new(),
            verdict: WhatIfVerdict::CannotTell,
            detectable_percent: None,
            reason: None,
        };
        // The gains come from shorter holds where possible, and from longer ones otherwise.
        let mut found: Vec<(Direction, Gains)> = Vec::new();
        for direction in [Direction::Fast, Direction::Slow] {
            for rounds in all.iter().filter(|it| it.direction == direction) {
                match self.gains(chosen, rounds, &mut row, experiments) {
                    Some(gains) => found.push((direction, gains)),
                    None => {
                        let why = rounds.dropped.clone();
                        let why = why.unwrap_or_else(|| "no round was complete".to_owned());
                        row.reason = Some(match row.reason.take() {
                            Some(before) if before != why => format!("{before}; {why}"),
                            _ => why,
                        });
                    }
                }
            }
        }
        if let [(_, fast), (_, slow)] = &found[..] {
            row.agree = Some(agree(fast, slow));
        }
        for (direction, gains) in found {
            let method = direction.method();
            if row.by.is_none() {
                row.by = Some(method);
                row.gains = gains.gains.clone();
                row.verdict = gains.verdict;
                row.detectable_percent = Some(gains.detectable_percent);
            }
            for it in gains.method {
                if !row.method.contains(&it) {
                    row.method.push(it);
                }
            }
            row.by_method.push(ByMethod {
                method,
                gains: gains.gains,
                verdict: gains.verdict,
            });
        }
        too_short(lock, &mut row);
        row
    }

    /// Computes the gains by one experiment. `None` if it has no complete round, or was given up.
    fn gains(
        &self,
        chosen: &Chosen,
        rounds: &Rounds,
        row: &mut WhatIfLock,
        experiments: &mut Vec<Experiment>,
    ) -> Option<Gains> {
        let response = response(rounds, self.better)?;
        self.measured(chosen, rounds, &response, experiments);
        let limit = match self.is_server {
            true => Limit::default(),
            false => Limit::of(&chosen.lock, self.profile.duration_ns, rounds, self.cpus),
        };
        let gains = match rounds.direction {
            Direction::Fast => sped_up::gains(rounds, self.better, &limit),
            Direction::Slow => {
                row.slope = Some(response.slope);
                row.bend = response.bend;
                row.is_bent = response.is_bent;
                Some(gains(&response, &limit))
            }
        };
        gains.filter(|_| rounds.dropped.is_none())
    }

    fn measured(
        &self,
        chosen: &Chosen,
        rounds: &Rounds,
        response: &Response,
        experiments: &mut Vec<Experiment>,
    ) {
        let mut add = |percent: u32, time: Estimate| {
            let change = Change {
                direction: rounds.direction,
                percent,
            };
            experiments.push(Experiment {
                lock: chosen.lock.id.clone(),
                change: change.to_string(),
                ratio_to_bare: metric_ratio(time, self.better),
            });
        };
        add(0, response.noise);
        for (percent, ratio) in rounds.percents.iter().zip(&response.ratios) {
            add(*percent, *ratio);
        }
    }
}

/// Holds that are shorter on average change too much by the readings of the clock at both ends.
const SHORTEST_NS: u64 = 2_000;

/// Takes the gains back if the holds are too short to be measured. That a lock has no effect is not taken back: with the readings, its
/// holds were longer.
fn too_short(lock: &Lock, row: &mut WhatIfLock) {
    let holds = lock.hold_ns.as_ref().zip(lock.acquisitions);
    let mean_ns = holds.map(|(holds, count)| holds.total / count.max(1));
    let Some(mean_ns) = mean_ns.filter(|it| *it < SHORTEST_NS) else {
        return;
    };
    if row.verdict == WhatIfVerdict::NoEffect || row.gains.is_empty() {
        return;
    }
    row.verdict = WhatIfVerdict::CannotTell;
    row.gains.clear();
    row.detectable_percent = None;
    row.reason = Some(format!(
        "too short to tell: the lock is held for {} on average, and reading the clock at both ends changes that too much; holds of {} or \
         more can be examined",
        duration(mean_ns as f64),
        duration(SHORTEST_NS as f64)
    ));
}

/// Whether two methods agree: the intervals of the gain with holds a quarter shorter have a point in common. Holds half as long are
/// too far from the longer ones that were measured.
fn agree(fast: &Gains, slow: &Gains) -> bool {
    let (Some(fast), Some(slow)) = (fast.gains.get("25"), slow.gains.get("25")) else {
        return true;
    };
    fast.low <= slow.high && slow.low <= fast.high
}

/// Turns a ratio of times into one of the metric.
fn metric_ratio(time: Estimate, better: Better) -> Estimate {
    match better {
        Better::Lower => time,
        Better::Higher => Estimate {
            median: 1.0 / time.median,
            low: 1.0 / time.high,
            high: 1.0 / time.low,
            n: time.n,
        },
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use locktoll_made_up::made_up::whatif;
    use locktoll_made_up::sample;

    use super::*;

    #[test]
    fn gains_of_holds_that_are_too_short_are_taken_back() {
        let mut lock = sample::job_server().locks[0].clone();
        let [decoy, work] = [0, 1].map(|at| whatif::decoy().locks[at].clone());
        let row = |lock: &Lock, row: &WhatIfLock| {
            let mut row = row.clone();
            too_short(lock, &mut row);
            row
        };
        lock.acquisitions = Some(10);
        lock.hold_ns.as_mut().unwrap().total = 10 * SHORTEST_NS;
        assert_eq!(row(&lock, &work).verdict, WhatIfVerdict::Gains);
        lock.hold_ns.as_mut().unwrap().total -= 10;
        let short = row(&lock, &work);
        assert_eq!(short.verdict, WhatIfVerdict::CannotTell);
        assert!(short.gains.is_empty() && short.reason.unwrap().starts_with("too short to tell"));
        assert_eq!(row(&lock, &decoy).verdict, WhatIfVerdict::NoEffect);
        lock.hold_ns = None;
        assert_eq!(row(&lock, &work).verdict, WhatIfVerdict::Gains);
    }

    #[test]
    fn methods_agree_if_their_intervals_meet() {
        let around = |low: f64, high: f64| {
            let gain = Estimate {
                median: (low + high) / 2.0,
                low,
                high,
                n: 9,
            };
            Gains {
                gains: BTreeMap::from([("25".to_owned(), gain)]),
                method: Vec::new(),
                verdict: WhatIfVerdict::Gains,
                detectable_percent: 1.0,
            }
        };
        assert!(agree(&around(1.1, 1.2), &around(1.2, 1.4)));
        assert!(!agree(&around(1.1, 1.2), &around(1.21, 1.4)));
        assert!(!agree(&around(1.3, 1.4), &around(1.1, 1.2)));
    }
}

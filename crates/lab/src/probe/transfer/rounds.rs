//! Rounds in which each pair of CPUs is visited once in each direction, so that drift of the machine within a run is in the
//! interval, too. Batches that follow each other within milliseconds agree with each other, whatever the drift.

use std::time::{Duration, Instant};

use super::order::spread;
use super::ping_pong::{Effort, one_way_ns};
use crate::probe::scheduling::Rank;
use crate::probe::series::LEAST_ROUNDS;
use crate::probe::session::Session;
use crate::stats::estimate;

/// Time for all rounds together.
const BUDGET: Duration = Duration::from_millis(1_500);
const QUICK_BUDGET: Duration = Duration::from_millis(300);
/// On a busy machine, the fewest rounds that make a figure may take this many times the budget.
const PATIENCE: u32 = 3;
/// Time to start and pin two threads; a visit must measure in proportion to it.
const START: Duration = Duration::from_micros(300);
/// Time of a batch at 150 ns one way.
const BATCH: Duration = Duration::from_micros(30);
/// A visit to busy CPUs is given up after this time.
const VISIT_LIMIT: Duration = Duration::from_millis(60);
/// 100 round trips of some 50 to 500 ns each take well under a time slice, so few batches are interrupted.
const ROUND_TRIPS: u64 = 100;
/// One for each of the lines that are used in turn.
const FEWEST_BATCHES: usize = 16;
const MOST_BATCHES: usize = 96;
/// A direction that failed this often is not visited again.
const MOST_FAILURES: usize = 2;

/// How many pairs are visited, how often, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Course {
    pub(super) pairs: usize,
    pub(super) rounds: usize,
    pub(super) batches: usize,
}

impl Course {
    /// Plans all pairs in `most_rounds` rounds; with many pairs, fewer rounds, down to six; with very many CPUs, as many pairs as
    /// can have six.
    pub(super) fn of(cpus: usize, most_rounds: usize, budget: Duration) -> Course {
        let all = cpus * cpus.saturating_sub(1) / 2;
        let shortest = START + BATCH * FEWEST_BATCHES as u32;
        let visits = (budget.as_nanos() / shortest.as_nanos()) as usize;
        let pairs = all.min((visits / 2 / LEAST_ROUNDS).max(1));
        let rounds = (visits / 2 / pairs.max(1)).clamp(LEAST_ROUNDS, most_rounds.max(LEAST_ROUNDS));
        let each = budget / (2 * pairs * rounds).max(1) as u32;
        let batches = (each.saturating_sub(START).as_nanos() / BATCH.as_nanos()) as usize;
        Course {
            pairs,
            rounds,
            batches: batches.clamp(FEWEST_BATCHES, MOST_BATCHES),
        }
    }
}

/// One direction, and the result of each round: half a round trip, the median over the batches of the visit.
#[derive(Clone, Debug)]
pub(super) struct Direction {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) one_way_ns: Vec<Option<f64>>,
    pub(super) refused: Option<String>,
    pub(super) failures: usize,
}

/// Measures the directions between `cpus`, named by index into that list. The two directions of a pair follow each other.
pub(super) fn run(session: &Session<'_>, cpus: &[usize]) -> Vec<Direction> {
    let budget = session.budget(BUDGET, QUICK_BUDGET);
    let course = Course::of(cpus.len(), session.rounds(), budget);
    let mut directions: Vec<Direction> = spread(cpus.len())
        .take(2 * course.pairs)
        .map(|(from, to)| Direction {
            from,
            to,
            one_way_ns: Vec::new(),
            refused: None,
            failures: 0,
        })
        .collect();
    let effort = Effort {
        round_trips: ROUND_TRIPS,
        batches: course.batches,
        limit: VISIT_LIMIT,
    };
    let seat = |index: usize| session.seat(cpus[index], Rank::Measured);
    let began = Instant::now();
    'rounds: for round in 0..course.rounds {
        let most = if round < LEAST_ROUNDS {
            budget * PATIENCE
        } else {
            budget
        };
        for direction in &mut directions {
            if session.interrupted() || began.elapsed() > most {
                break 'rounds;
            }
            let visit = match direction.failures < MOST_FAILURES {
                true => one_way_ns(seat(direction.from), seat(direction.to), effort),
                false => continue,
            };
            direction.one_way_ns.resize(round, None);
            direction.one_way_ns.push(match visit {
                Ok(batches) => estimate(&batches).map(|visit| visit.median),
                Err(reason) => {
                    direction.failures += 1;
                    direction.refused = Some(reason);
                    None
                }
            });
        }
    }
    directions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_cpus_have_all_rounds_and_many_have_six() {
        let two = Course::of(2, 31, BUDGET);
        assert_eq!((two.pairs, two.rounds, two.batches), (1, 31, MOST_BATCHES));
        let sixteen = Course::of(16, 31, BUDGET);
        assert_eq!(sixteen.pairs, 120);
        assert!((LEAST_ROUNDS..31).contains(&sixteen.rounds), "{sixteen:?}");
        let many = Course::of(256, 31, BUDGET);
        assert_eq!((many.rounds, many.batches), (LEAST_ROUNDS, FEWEST_BATCHES));
        assert!(many.pairs < 256 * 255 / 2 && many.pairs > 100, "{many:?}");
    }

    #[test]
    fn a_course_stays_within_its_budget() {
        for budget in [BUDGET, QUICK_BUDGET] {
            for cpus in [2, 3, 4, 8, 16, 64, 256] {
                let course = Course::of(cpus, 31, budget);
                let visit = START + BATCH * course.batches as u32;
                let all = visit * (2 * course.pairs * course.rounds) as u32;
                assert!(all <= budget, "{cpus} CPUs: {course:?} takes {all:?}");
            }
        }
    }
}

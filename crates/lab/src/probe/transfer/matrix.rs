//! The matrix of one-way transfers, as far as time allows.

use std::time::{Duration, Instant};

use super::order::spread;
use super::ping_pong::{Effort, one_way_ns};
use crate::probe::scheduling::Rank;
use crate::probe::session::Session;
use crate::probe::{Group, Part, Prices, Transfers};
use crate::stats::estimate;

/// On one machine 42 ns became 187 ns a quarter of an hour later, and a plain C program saw the same.
const OF_A_GUEST: &str =
    "in a virtual machine the host decides how far CPUs are apart, and may move them at any time";

/// Time for all pairs together.
const BUDGET: Duration = Duration::from_millis(1_500);
const QUICK_BUDGET: Duration = Duration::from_millis(300);
/// What starting and pinning two threads takes, in proportion to which a pair must measure.
const START: Duration = Duration::from_micros(300);
/// A pair whose CPUs others keep busy is given up after that.
const PAIR_LIMIT: Duration = Duration::from_millis(60);
/// 100 round trips of some 50 to 500 ns each take well under a time slice, so few batches are interrupted.
const ROUND_TRIPS: u64 = 100;
const MOST_BATCHES: usize = 201;
/// So few give an interval of 95 % at least.
const FEWEST_BATCHES: usize = 9;

/// The matrix for all usable CPUs, and its line in the price list. No matrix with fewer than two CPUs.
pub(in crate::probe) fn measure(session: &Session<'_>, prices: &mut Prices) {
    session.progress("cache line from CPU to CPU");
    let cpus = &session.machine().usable_cpus;
    let (part, matrix) = transfers(session, cpus);
    prices.parts.push(part);
    prices.transfers = matrix;
}

fn transfers(session: &Session<'_>, cpus: &[usize]) -> (Part, Option<Transfers>) {
    let part = Part::new(
        "cache-line-transfer",
        "cache line to another CPU, one way",
        Group::Memory,
        "two threads on two CPUs store and await numbers in one line: round trip / 2; median over all pairs",
    );
    if cpus.len() < 2 {
        return (
            part.value(Err("only one CPU may be used here".into())),
            None,
        );
    }
    let budget = session.budget(BUDGET, QUICK_BUDGET);
    let directions = cpus.len() * (cpus.len() - 1);
    let effort = effort(directions, budget);
    let mut one_way_ns_of = vec![vec![None; cpus.len()]; cpus.len()];
    let mut medians = Vec::new();
    let mut pooled = Vec::new();
    let mut reason = None;
    let began = Instant::now();
    // Pairs whose threads did not come to run get a second chance, once all others have had their first.
    let mut again = Vec::new();
    let mut left = spread(cpus.len());
    let seat = |index: usize| session.seat(cpus[index], Rank::Measured);
    while began.elapsed() < budget && !session.interrupted() {
        let (from, to, first) = match left.next() {
            Some((from, to)) => (from, to, true),
            None => match again.pop() {
                Some((from, to)) => (from, to, false),
                None => break,
            },
        };
        match one_way_ns(seat(from), seat(to), effort) {
            Ok(samples) => {
                let of_pair = estimate(&samples);
                medians.extend(of_pair.map(|estimate| estimate.median));
                pooled.extend(samples);
                one_way_ns_of[from][to] = of_pair;
            }
            Err(why) => {
                reason = Some(why);
                if first {
                    again.push((from, to));
                }
            }
        }
    }
    // With few pairs an interval over pairs would say nothing; the batches of all pairs then do.
    const ENOUGH_PAIRS: usize = 6;
    let of_pairs = medians.len() >= ENOUGH_PAIRS;
    let value = estimate(if of_pairs { &medians } else { &pooled });
    let part = match value {
        Some(value) => part.value(Ok(value)),
        None => part.value(Err(reason
            .clone()
            .unwrap_or_else(|| "stopped before any pair was measured".into()))),
    };
    let part = match medians.len() {
        0 => part,
        all if all == directions => part,
        some => part.note(missing(some, directions, reason)),
    };
    let part = match session.machine().virtual_machine {
        Some(true) if part.value.is_some() => part.note(OF_A_GUEST),
        _ => part,
    };
    let matrix = Transfers {
        cpus: cpus.to_vec(),
        one_way_ns: one_way_ns_of,
    };
    (part, Some(matrix))
}

/// What is measured for each pair: many batches where there are few pairs, else as few as are worth anything.
fn effort(directions: usize, budget: Duration) -> Effort {
    let per_pair = (budget / directions as u32).saturating_sub(START);
    // At 150 ns one way a batch takes 30 µs.
    let affordable = per_pair.as_micros() as usize / 30;
    Effort {
        round_trips: ROUND_TRIPS,
        batches: affordable.clamp(FEWEST_BATCHES, MOST_BATCHES),
        limit: PAIR_LIMIT,
    }
}

fn missing(measured: usize, directions: usize, reason: Option<String>) -> String {
    let told = format!("{measured} of {directions} pairs measured");
    match reason {
        Some(reason) => format!("{told}; {reason}"),
        None => format!("{told}, spread over all CPUs, in the time of this run"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Machine;
    use crate::probe::Plan;

    #[test]
    fn one_cpu_has_no_matrix() {
        let machine = Machine::observe();
        let mut watcher = ();
        let session = Session::new(Plan::quick(), &machine, &mut watcher);
        let (part, matrix) = transfers(&session, &[0]);
        assert_eq!((part.value, matrix), (None, None));
        assert!(part.refused.unwrap().contains("one CPU"));
    }

    #[test]
    fn a_matrix_without_diagonal() {
        let machine = Machine::observe();
        let mut watcher = ();
        let session = Session::new(Plan::quick(), &machine, &mut watcher);
        let [first, second, ..] = machine.usable_cpus[..] else {
            return;
        };
        let (part, matrix) = transfers(&session, &[first, second]);
        let matrix = matrix.unwrap();
        assert_eq!(matrix.cpus, [first, second]);
        assert_eq!(
            (matrix.one_way_ns[0][0], matrix.one_way_ns[1][1]),
            (None, None)
        );
        // What is missing is missing for a reason.
        let measured = [matrix.one_way_ns[0][1], matrix.one_way_ns[1][0]];
        let complete = measured.iter().all(Option::is_some);
        assert!(complete || part.refused.is_some() || part.note.unwrap().contains("1 of 2 pairs"));
        assert_eq!(part.value.is_some(), measured.iter().any(Option::is_some));
    }

    #[test]
    fn many_cpus_get_few_batches_each() {
        let two = effort(2, BUDGET);
        let many = effort(256 * 255, BUDGET);
        assert_eq!((two.batches, many.batches), (MOST_BATCHES, FEWEST_BATCHES));
    }

    #[test]
    fn a_note_says_how_many() {
        assert_eq!(
            missing(30, 90, None),
            "30 of 90 pairs measured, spread over all CPUs, in the time of this run"
        );
        let refused = missing(1, 2, Some("CPU 3 cannot be used".into()));
        assert_eq!(refused, "1 of 2 pairs measured; CPU 3 cannot be used");
    }
}

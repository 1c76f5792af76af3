//! The matrix of one-way transfers, as far as time allows.

use super::rounds::{Direction, run};
use crate::probe::series::LEAST_ROUNDS;
use crate::probe::session::Session;
use crate::probe::{Group, Part, Prices, Transfers};
use crate::stats::{Estimate, estimate};

/// On one machine 42 ns became 187 ns a quarter of an hour later, and a plain C program saw the same.
const OF_A_GUEST: &str =
    "in a virtual machine the host decides how far CPUs are apart, and may move them at any time";

/// Measures the matrix for all usable CPUs, and its line in the price list. It takes two CPUs or more.
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
        "two threads on two CPUs store and await numbers in one line: round trip / 2; in each round the median over all \
         pairs, of a pair the mean of both directions",
    );
    if cpus.len() < 2 {
        return (
            part.value(Err("only one CPU may be used here".into())),
            None,
        );
    }
    let directions = run(session, cpus);
    let mut one_way_ns = vec![vec![None; cpus.len()]; cpus.len()];
    for direction in &directions {
        one_way_ns[direction.from][direction.to] = cell(direction);
    }
    let reason = directions
        .iter()
        .find_map(|direction| direction.refused.clone());
    let measured = one_way_ns.iter().flatten().flatten().count();
    let all = cpus.len() * (cpus.len() - 1);
    let part = part.value(over_pairs(&directions).ok_or_else(|| {
        let stopped = || format!("stopped before any pair had {LEAST_ROUNDS} rounds");
        reason.clone().unwrap_or_else(stopped)
    }));
    let part = match measured {
        0 => part,
        every if every == all => part,
        some => part.note(missing(some, all, reason)),
    };
    let part = match session.machine().virtual_machine {
        Some(true) if part.value.is_some() => part.note(OF_A_GUEST),
        _ => part,
    };
    let matrix = Transfers {
        cpus: cpus.to_vec(),
        one_way_ns,
    };
    (part, Some(matrix))
}

/// Returns a direction's figure, if it has enough rounds.
fn cell(direction: &Direction) -> Option<Estimate> {
    let rounds: Vec<f64> = direction.one_way_ns.iter().flatten().copied().collect();
    estimate(&rounds).filter(|_| rounds.len() >= LEAST_ROUNDS)
}

/// Returns the median over pairs, one sample per round: its interval says how well it repeats, not how far apart pairs are.
fn over_pairs(directions: &[Direction]) -> Option<Estimate> {
    // Always the same pairs, or a far one that is missing would look like a near one.
    let pairs: Vec<&[Direction]> = directions
        .chunks_exact(2)
        .filter(|both| both.iter().all(|one| cell(one).is_some()))
        .collect();
    let rounds = directions.iter().map(|one| one.one_way_ns.len()).max()?;
    let of_round = |round: usize| -> Option<f64> {
        let mut ways_ns = Vec::with_capacity(pairs.len());
        for both in &pairs {
            let [there, back] = [&both[0], &both[1]].map(|one| one.one_way_ns.get(round));
            ways_ns.push(((*there?)? + (*back?)?) / 2.0);
        }
        estimate(&ways_ns).map(|of_pairs| of_pairs.median)
    };
    let samples: Vec<f64> = (0..rounds).filter_map(of_round).collect();
    estimate(&samples).filter(|_| samples.len() >= LEAST_ROUNDS)
}

fn missing(measured: usize, directions: usize, reason: Option<String>) -> String {
    let told = format!("{measured} of {directions} directions measured");
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
    use crate::processors;

    fn direction(from: usize, to: usize, one_way_ns: &[Option<f64>]) -> Direction {
        Direction {
            from,
            to,
            one_way_ns: one_way_ns.to_vec(),
            refused: None,
            failures: 0,
        }
    }

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
        let _turn = processors::alone();
        let (part, matrix) = transfers(&session, &[first, second]);
        let matrix = matrix.unwrap();
        assert_eq!(matrix.cpus, [first, second]);
        assert_eq!(
            (matrix.one_way_ns[0][0], matrix.one_way_ns[1][1]),
            (None, None)
        );
        // A missing figure has a reason.
        let measured = [matrix.one_way_ns[0][1], matrix.one_way_ns[1][0]];
        let complete = measured.iter().all(Option::is_some);
        assert!(complete || part.refused.is_some());
        assert!(part.value.is_none() || complete);
    }

    #[test]
    fn a_round_is_a_sample_and_the_two_directions_one_pair() {
        let rounds = |ns: f64| [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0].map(|drift| Some(ns + drift));
        let pairs = [
            direction(0, 1, &rounds(10.0)),
            direction(1, 0, &rounds(30.0)),
            direction(0, 2, &rounds(100.0)),
            direction(2, 0, &rounds(100.0)),
            direction(1, 2, &rounds(500.0)),
            direction(2, 1, &rounds(500.0)),
        ];
        let whole = over_pairs(&pairs).unwrap();
        assert_eq!((whole.median, whole.n), (104.0, 7));
        // A pair without enough rounds is in no sample; a round that lacks a pair is not a sample.
        let mut some = pairs.clone();
        some[5].one_way_ns.truncate(3);
        some[2].one_way_ns[4] = None;
        let whole = over_pairs(&some).unwrap();
        assert_eq!((whole.median, whole.n), (63.5, 6));
        assert_eq!(cell(&some[5]), None);
    }

    #[test]
    fn fewer_than_six_rounds_are_no_figure() {
        let few = [Some(50.0); 5];
        assert_eq!(
            over_pairs(&[direction(0, 1, &few), direction(1, 0, &few)]),
            None
        );
    }

    #[test]
    fn a_note_says_how_many() {
        assert_eq!(
            missing(30, 90, None),
            "30 of 90 directions measured, spread over all CPUs, in the time of this run"
        );
        let refused = missing(1, 2, Some("CPU 3 cannot be used".into()));
        assert_eq!(refused, "1 of 2 directions measured; CPU 3 cannot be used");
    }
}

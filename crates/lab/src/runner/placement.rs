//! The placements of a run's slices: drawn anew for each, and used twice where an A/A pair shows what they matter.

use std::hash::{BuildHasher, RandomState};

use crate::cell::{Part, Slice};
use crate::random::Random;
use crate::stats::{PlacementShare, placement_share};

use super::Samples;
use super::rounds::Step;

/// Seeds for all slices of a run.
pub(super) struct Draws {
    /// Another one in each run.
    seed: u64,
}

impl Draws {
    /// Begins a run.
    pub(super) fn new() -> Self {
        // The standard library seeds its hash tables from the operating system.
        Self {
            seed: RandomState::new().hash_one(0),
        }
    }

    /// Returns the seed of a step's slice. The second run of a pair takes over the placement that the first has had in the round
    /// before, so that both are independent within a round.
    pub(super) fn of(&self, step: Step, round: u32) -> u64 {
        match (step, round) {
            (Step::Cell(index, part), _) => self.draw(round, index, part, 0),
            (Step::Again(index, part), 0) => self.draw(round, index, part, 1),
            (Step::Again(index, part), _) => self.draw(round - 1, index, part, 0),
        }
    }

    /// Returns the seed of the empty loop of a round.
    pub(super) fn of_empty_loop(&self, round: u32) -> u64 {
        self.draw(round, 0, Part::Throughput, 2)
    }

    fn draw(&self, round: u32, index: usize, part: Part, run: u64) -> u64 {
        let slice = (u64::from(round) << 32)
            | ((index as u64) << 3)
            | (u64::from(part == Part::Waiting) << 2)
            | run;
        Random::of_seed(self.seed ^ slice).bits()
    }
}

/// Returns the share of placement in the variance between throughput slices, over all cells that ran twice in every round.
pub fn share<'a>(cells: impl IntoIterator<Item = &'a Samples>) -> Option<PlacementShare> {
    let (mut same, mut different) = (Vec::new(), Vec::new());
    for cell in cells {
        let (like, unlike) = differences(cell);
        let all: Vec<f64> = like.iter().chain(&unlike).map(|it| it.abs()).collect();
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        // Cells differ in how much their slices do. Each counts as much as any other.
        if mean > 0.0 {
            same.extend(like.iter().map(|it| it / mean));
            different.extend(unlike.iter().map(|it| it / mean));
        }
    }
    placement_share(&same, &different)
}

/// Returns the differences between the logarithms of two slices' times, a first and a second run: with the same placement, and
/// with different ones, as many rounds apart.
fn differences(samples: &Samples) -> (Vec<f64>, Vec<f64>) {
    let log = |slice: &Slice| slice.ns_per_op().map(f64::ln);
    let (mut same, mut different) = (Vec::new(), Vec::new());
    for (later, again) in samples.again.iter().enumerate() {
        let Some((earlier, (first, _))) = (samples.throughput.iter().enumerate())
            .find(|(_, (first, _))| first.placement == again.placement)
        else {
            continue;
        };
        let mirrored = (samples.throughput.get(later), samples.again.get(earlier));
        let (Some((first_later, _)), Some(again_earlier)) = mirrored else {
            continue;
        };
        let of = |a: &Slice, b: &Slice| Some(log(a)? - log(b)?);
        if let (Some(like), Some(unlike)) = (of(first, again), of(first_later, again_earlier)) {
            same.push(like);
            different.push(unlike);
        }
    }
    (same, different)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placement_is_used_twice_and_never_in_one_round() {
        let draws = Draws::new();
        let first = |round| draws.of(Step::Cell(3, Part::Throughput), round);
        let again = |round| draws.of(Step::Again(3, Part::Throughput), round);
        for round in 0..20 {
            assert_ne!(first(round), again(round));
            assert_eq!(first(round), again(round + 1));
            assert_ne!(first(round), first(round + 1));
            assert_ne!(first(round), draws.of(Step::Cell(3, Part::Waiting), round));
            assert_ne!(
                first(round),
                draws.of(Step::Cell(4, Part::Throughput), round)
            );
            assert_ne!(first(round), draws.of_empty_loop(round));
        }
        assert_ne!(
            first(0),
            Draws::new().of(Step::Cell(3, Part::Throughput), 0)
        );
    }

    /// A cell whose slices take a time that depends on their placement alone, or on the round alone.
    fn samples(time_ns: impl Fn(u64, u64) -> u64) -> Samples {
        let draws = Draws::new();
        let slice = |step, round: u32| {
            let placement = draws.of(step, round);
            Slice {
                wall_ns: time_ns(placement, u64::from(round)),
                operations: vec![1],
                placement,
                ..Slice::default()
            }
        };
        Samples {
            throughput: (0..20)
                .map(|round| (slice(Step::Cell(0, Part::Throughput), round), None))
                .collect(),
            again: (0..20)
                .map(|round| slice(Step::Again(0, Part::Throughput), round))
                .collect(),
            ..Samples::default()
        }
    }

    #[test]
    fn what_follows_the_placement_is_told_from_what_follows_the_round() {
        let by_placement = samples(|placement, _| 1_000 + placement % 1_000);
        let all = share(&[by_placement]).unwrap();
        assert_eq!(
            (all.share, all.low, all.high, all.pairs),
            (1.0, 1.0, 1.0, 19)
        );
        let by_round = samples(|_, round| 1_000 + Random::of_seed(round).bits() % 1_000);
        let none = share(&[by_round]).unwrap();
        assert_eq!((none.share, none.low), (0.0, 0.0));
    }

    #[test]
    fn cells_without_a_second_run_say_nothing() {
        let mut samples = samples(|placement, _| 1_000 + placement % 1_000);
        samples.again.clear();
        assert_eq!(share(&[samples, Samples::default()]), None);
    }
}

//! The rounds that count, in the form that the statistics need.

use locktoll_lab::stats::{Block, Blocks, Estimate, ratio_of_pairs};

use crate::trial::{Figures, Stage};

/// One round.
#[derive(Clone, Debug)]
pub struct Round {
    /// The part of the tournament.
    pub stage: Stage,
    /// The two bare runs.
    pub bare: [Figures; 2],
    /// The figures of each candidate, by its index in the settings; `None` for a candidate that did not run or failed.
    pub candidates: Vec<Option<Figures>>,
}

/// Selects a figure of a run.
pub type Of = fn(&Figures) -> f64;

/// Returns the metric that is compared.
pub fn metric(figures: &Figures) -> f64 {
    figures.metric
}

/// Returns the processor time, user and system, in nanoseconds.
pub fn cpu_ns(figures: &Figures) -> f64 {
    figures.cpu_ns as f64
}

/// Returns a candidate's figures with those of bare in the rounds of a stage; `None` if it has no figure with a partner.
pub fn against_bare(rounds: &[Round], stage: Stage, candidate: usize, of: Of) -> Option<Blocks> {
    let block = |round: &Round| {
        let other = round.candidates.get(candidate)?.as_ref()?;
        Some(Block {
            base: round.bare.iter().map(of).collect(),
            other: of(other),
        })
    };
    let of_stage = rounds.iter().filter(|round| round.stage == stage);
    Blocks::new(&of_stage.filter_map(block).collect::<Vec<_>>())
}

/// Returns the ratio of the second bare run to the first, over all rounds.
pub fn same_against_same(rounds: &[Round]) -> Option<Estimate> {
    let pairs = rounds
        .iter()
        .map(|round| (round.bare[0].metric, round.bare[1].metric));
    ratio_of_pairs(&pairs.collect::<Vec<_>>())
}

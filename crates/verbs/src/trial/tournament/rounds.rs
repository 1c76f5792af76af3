//! The rounds that count, as the statistics see them.

use locktoll_lab::stats::{Block, Blocks, Estimate, ratio_of_pairs};

use crate::trial::{Figures, Stage};

/// One round.
#[derive(Clone, Debug)]
pub struct Round {
    /// Of which part of the tournament.
    pub stage: Stage,
    /// Bare, and bare again.
    pub bare: [Figures; 2],
    /// What each candidate gave, by its place in the settings; `None` of those that did not run or failed.
    pub candidates: Vec<Option<Figures>>,
}

/// A figure of a run.
pub type Of = fn(&Figures) -> f64;

/// What is compared.
pub fn metric(figures: &Figures) -> f64 {
    figures.metric
}

/// Processor time, user and system, in nanoseconds.
pub fn cpu_ns(figures: &Figures) -> f64 {
    figures.cpu_ns as f64
}

/// A candidate against bare in the rounds of a stage; `None` where it has no figure with a partner.
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

/// Bare again over bare, in all rounds.
pub fn same_against_same(rounds: &[Round]) -> Option<Estimate> {
    let pairs = rounds
        .iter()
        .map(|round| (round.bare[0].metric, round.bare[1].metric));
    ratio_of_pairs(&pairs.collect::<Vec<_>>())
}

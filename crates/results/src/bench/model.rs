//! The result of `bench`: the schema `locktoll.bench/1`.

use crate::Made;
use locktoll_lab::clock::ClockCard;
use locktoll_lab::contender;
use locktoll_lab::machine::Machine;
use locktoll_lab::noise::Noise;
use locktoll_lab::runner::CellSummary;
use locktoll_lab::stats::{Estimate, PlacementShare};
use serde::{Deserialize, Serialize};

/// A bench run with its surroundings.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BenchResult {
    /// `locktoll.bench/1`.
    pub schema: String,
    /// The program that measured.
    pub version: String,
    /// When, where and by which version of locktoll it was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Made>,
    /// Where it was measured.
    pub machine: Machine,
    /// The clock.
    pub clock: ClockCard,
    /// The activity of other programs, and the A/A pairs.
    pub noise: BenchNoise,
    /// A round of the loop without a lock and without work.
    pub empty_loop_ns: Option<Estimate>,
    /// Iterations of the calibrated arithmetic per nanosecond, which `--hold`, `--think` and `--delay`
    /// use.
    pub work_loops_per_ns: Option<f64>,
    /// The requested number of rounds.
    pub repeat: u32,
    /// True when the run was interrupted.
    pub partial: bool,
    /// One entry per cell.
    pub cells: Vec<CellSummary>,
}

/// Evidence of how reliable the figures are.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BenchNoise {
    /// The kernel's counts.
    #[serde(flatten)]
    pub seen: Noise,
    /// The A/A pair: a cell run twice in every round, its time divided by that of the first run.
    pub same_lock_twice: Vec<SameLockTwice>,
    /// How much of the variance between slices comes from where lock, data and threads lie; `None` if too few cells ran twice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placement: Option<PlacementShare>,
}

/// One A/A pair.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SameLockTwice {
    /// The lock.
    #[serde(deserialize_with = "contender::saved_name")]
    pub lock: String,
    /// Competing threads.
    pub threads: u32,
    /// Index in `cells`.
    pub cell: usize,
    /// Time of the second run over that of the first.
    pub ratio: Estimate,
}

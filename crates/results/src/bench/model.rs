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
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
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
    /// The precision that `--until` asked for; `None` without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Precision>,
    /// True when the run was interrupted.
    pub partial: bool,
    /// One entry per cell.
    pub cells: Vec<CellSummary>,
}

/// How precise the figures were to be, and whether they are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Precision {
    /// The requested greatest distance between a median and the bounds of its interval, as a share of the median.
    pub share: f64,
    /// Cells with a time per operation, or with a median wait if only waiting was measured.
    pub cells: usize,
    /// Those of them that are less precise.
    pub wider: usize,
    /// The distance in the least precise one.
    pub widest: f64,
    /// The rounds of the cell with the most.
    pub rounds: usize,
}

impl Precision {
    /// Compares the intervals of `cells` with the requested share.
    pub fn of(share: f64, cells: &[CellSummary]) -> Self {
        let figure = |cell: &CellSummary| {
            let waits = cell.acquire_ns.as_ref();
            cell.ns_per_op.or_else(|| waits.and_then(|it| it.p50))
        };
        let figures: Vec<Estimate> = cells.iter().filter_map(figure).collect();
        let widths = || figures.iter().filter_map(Estimate::half_width);
        Self {
            share,
            cells: widths().count(),
            wider: widths().filter(|width| *width > share).count(),
            widest: widths().fold(0.0, f64::max),
            rounds: figures.iter().map(|it| it.n).max().unwrap_or(0),
        }
    }
}

/// Evidence of how reliable the figures are.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
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

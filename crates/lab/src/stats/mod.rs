//! Figures with their uncertainty.
//!
//! [`estimate`] gives a median and its interval. [`ratio_of_pairs`] compares two contenders round by round, [`Blocks`] one
//! contender with a base that ran more than once in every round, [`Ratio`] two runs made one after the other. [`verdict`] decides
//! whether that is a difference at all. If rounds are added until there is a verdict, each [`Look`] at them has a stricter
//! interval. [`Histogram`], [`Fairness`] and [`modes`] show what an average hides, and [`placement_share`] how much of the noise
//! comes from where lock, data and threads lie.
//!
//! ```
//! use locktoll_lab::stats::{Verdict, estimate, ratio_of_pairs, verdict};
//!
//! let times_ns = [17.5, 17.9, 17.4, 18.8, 17.6, 17.7, 17.6];
//! let pair = estimate(&times_ns).unwrap();
//! assert_eq!(pair.median, 17.6);
//!
//! let rounds = times_ns.map(|ns| (ns, ns * 0.5));
//! let ratio = ratio_of_pairs(&rounds).unwrap();
//! assert_eq!(verdict(&ratio, None), Verdict::Faster);
//! ```

mod blocks;
mod estimate;
mod fairness;
mod histogram;
mod independent;
mod looks;
#[cfg(test)]
mod made_up;
mod modes;
mod placement;
mod sparse;
mod verdict;

pub use blocks::{Block, Blocks, holm};
pub use estimate::{Estimate, MISSES, confidence, estimate, estimate_missing, least_samples};
pub use fairness::Fairness;
pub use histogram::Histogram;
pub use independent::{Ratio, least_confidence};
pub use looks::Look;
pub use modes::{Modes, modes};
pub use placement::{PlacementShare, placement_share};
pub use verdict::{MIN_ROUNDS, Verdict, ratio_of_pairs, verdict, widest_factor};

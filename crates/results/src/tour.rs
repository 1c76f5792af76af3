//! The result of `tour`: the schema `locktoll.tour/1`.

use serde::{Deserialize, Serialize};

use crate::advice::{AdviceResult, Gain};
use crate::bench::BenchResult;
use crate::profile::Profile;

/// The results of a tour.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct TourResult {
    /// `locktoll.tour/1`.
    pub schema: String,
    /// One thread, with no work inside the lock.
    pub uncontended: BenchResult,
    /// Several threads per CPU.
    pub contended: BenchResult,
    /// The demonstration program's locks.
    pub profile: Profile,
    /// Remedies for the demonstration program's locks; left out in results of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<AdviceResult>,
    /// The first remedy, applied; left out if it is another one than the demonstration program can apply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub applied: Option<AppliedAdvice>,
    /// The conclusions, a sentence or two each.
    pub findings: Vec<String>,
    /// Commands to run next, with their purpose.
    pub next: Vec<(String, String)>,
}

/// A remedy that was applied to the demonstration program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct AppliedAdvice {
    /// The name of the lock.
    pub name: String,
    /// The gain that was predicted.
    pub predicted: Gain,
    /// Acquisitions of the lock per second before.
    pub before_per_second: f64,
    /// Acquisitions of the lock per second with the remedy.
    pub after_per_second: f64,
}

impl AppliedAdvice {
    /// Returns how many times as often the lock was acquired.
    #[must_use]
    pub fn measured(&self) -> f64 {
        self.after_per_second / self.before_per_second
    }
}

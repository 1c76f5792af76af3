//! The result of `tour`: the schema `locktoll.tour/1`.

use serde::{Deserialize, Serialize};

use crate::bench::BenchResult;
use crate::profile::Profile;

/// All that a tour found.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TourResult {
    /// `locktoll.tour/1`.
    pub schema: String,
    /// One thread, nothing inside.
    pub uncontended: BenchResult,
    /// Several threads for each processor.
    pub contended: BenchResult,
    /// The demonstration program's locks.
    pub profile: Profile,
    /// What the figures say, a sentence or two each.
    pub findings: Vec<String>,
    /// What to type next, and what for.
    pub next: Vec<(String, String)>,
}

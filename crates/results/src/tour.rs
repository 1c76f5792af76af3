//! The result of `tour`: the schema `locktoll.tour/1`.

use serde::{Deserialize, Serialize};

use crate::bench::BenchResult;
use crate::profile::Profile;

/// The results of a tour.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TourResult {
    /// `locktoll.tour/1`.
    pub schema: String,
    /// One thread, with no work inside the lock.
    pub uncontended: BenchResult,
    /// Several threads per CPU.
    pub contended: BenchResult,
    /// The demonstration program's locks.
    pub profile: Profile,
    /// The conclusions, a sentence or two each.
    pub findings: Vec<String>,
    /// Commands to run next, with their purpose.
    pub next: Vec<(String, String)>,
}

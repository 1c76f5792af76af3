//! A made-up tour.

use super::bench;
use crate::profile::sample;
use crate::report::TourResult;
use crate::verbs::tour::conclude;

/// Everything a tour shows.
pub fn tour() -> TourResult {
    conclude(
        bench::uncontended(),
        bench::contended(),
        sample::job_server(),
    )
}

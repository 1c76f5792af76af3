//! A made-up tour.

use super::{bench, benches};
use crate::profile::sample;
use crate::report::TourResult;
use crate::verbs::tour::conclude;

/// Everything a tour shows.
pub fn tour() -> TourResult {
    conclude(
        benches::uncontended(),
        bench::contended(),
        sample::job_server(),
    )
}

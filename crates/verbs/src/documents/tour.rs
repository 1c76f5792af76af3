//! A made-up tour.

use crate::tour::conclude;
use locktoll_made_up::made_up::{bench, benches};
use locktoll_made_up::sample;
use locktoll_results::tour::TourResult;

/// Returns a tour with all its parts.
pub fn tour() -> TourResult {
    let profile = sample::job_server();
    let advice = crate::advise::advice(&profile, None);
    conclude(
        benches::uncontended(),
        bench::contended(),
        profile,
        advice,
        None,
    )
}

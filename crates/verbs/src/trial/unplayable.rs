//! The reasons why there is no result.

use std::time::Duration;

use super::tournament::plan::DoesNotFit;
use super::{reasons::why_and_last_words, span::span};
use locktoll_results::trial::WhyDropped;

/// Why a tournament cannot be played at all.
#[derive(Debug, thiserror::Error)]
pub enum Unplayable {
    /// The program fails on its own locks.
    #[error("the unmodified program fails, so there is nothing to compare: {}", why_and_last_words(.0))]
    Bare(WhyDropped),
    /// The first run does not finish within the time limit for all runs.
    #[error(
        "one run of the program takes longer than the time limit of {} for all runs (--time-limit): give it less work, or, if it is a server, use --load",
        span(*.limit)
    )]
    FirstRun {
        /// The time limit for all runs.
        limit: Duration,
    },
    /// The runs take too long to prove anything within the time limit.
    #[error(
        "one run of the program takes {}; a verdict needs at least {} runs, which do not fit into {}: give --time-limit {}s, or give the program less work",
        span(*.one_run), .why.runs, span(*.limit), .why.needed.as_secs() + 1
    )]
    TooLong {
        /// Duration of one run.
        one_run: Duration,
        /// The time limit for all runs.
        limit: Duration,
        /// What would be needed.
        why: DoesNotFit,
    },
    /// The program cannot be run.
    #[error("{0:#}")]
    Runner(anyhow::Error),
}

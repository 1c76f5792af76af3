//! Why nothing can be said.

use std::time::Duration;

use super::tournament::plan::DoesNotFit;
use super::{reasons::why_and_last_words, span::span};
use locktoll_results::trial::WhyDropped;

/// Why a tournament cannot be played at all.
#[derive(Debug, thiserror::Error)]
pub enum Unplayable {
    /// The program fails on its own locks.
    #[error("the program fails on its own locks, so that nothing can be compared: {}", why_and_last_words(.0))]
    Bare(WhyDropped),
    /// Its first run is not done within the whole time.
    #[error(
        "one run of the program takes longer than the {} that the whole may take (--time-limit): let it do less, or end by itself; a server needs --load",
        span(*.limit)
    )]
    FirstRun {
        /// The bound on the whole.
        limit: Duration,
    },
    /// Its runs take too long for anything to be proved in the time.
    #[error(
        "one run of the program takes {}; {} runs are the least that can prove anything, and do not fit into {}: give --time-limit {}s, or let the program do less",
        span(*.one_run), .why.runs, span(*.limit), .why.needed.as_secs() + 1
    )]
    TooLong {
        /// What one run takes.
        one_run: Duration,
        /// The bound on the whole.
        limit: Duration,
        /// What would be needed.
        why: DoesNotFit,
    },
    /// The program cannot be run.
    #[error("{0:#}")]
    Runner(anyhow::Error),
}

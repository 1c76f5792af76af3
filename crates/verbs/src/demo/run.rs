//! The programs that other verbs record.

use std::time::Duration;

use crate::demo;
use crate::inner::Flush;
use locktoll_terminal::failure::{Ending, Outcome};

/// Runs the demonstration program for `milliseconds`.
pub fn run(milliseconds: u64, flush: Flush) -> Outcome {
    demo::serve(Duration::from_millis(milliseconds), flush)?;
    Ok(Ending::Done)
}

/// Measures the cost of a lock and unlock for `milliseconds`.
pub fn run_pairs(milliseconds: u64) -> Outcome {
    demo::measure_pairs(Duration::from_millis(milliseconds))?;
    Ok(Ending::Done)
}

/// Builds for `milliseconds`.
pub fn run_build(milliseconds: u64, jobs: u32, hogs: u32) -> Outcome {
    demo::build(Duration::from_millis(milliseconds), jobs, hogs)?;
    Ok(Ending::Done)
}

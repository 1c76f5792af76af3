//! The demonstration program that `tour` records.

use std::time::Duration;

use crate::demo;
use crate::exit::{Ending, Outcome};

/// Runs the demonstration program for `milliseconds`.
pub fn run(milliseconds: u64) -> Outcome {
    demo::serve(Duration::from_millis(milliseconds))?;
    Ok(Ending::Done)
}

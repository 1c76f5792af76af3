//! `locktoll __demo`.

use crate::exit::{Ending, Outcome};

/// Runs the demonstration program.
pub fn run() -> Outcome {
    Ok(Ending::Done)
}

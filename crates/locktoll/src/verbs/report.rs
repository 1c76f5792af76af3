//! `locktoll report`.

use crate::cli::ReportArgs;
use crate::exit::{Ending, Outcome};

/// Runs the verb.
pub fn run(_args: &ReportArgs) -> Outcome {
    Ok(Ending::Done)
}

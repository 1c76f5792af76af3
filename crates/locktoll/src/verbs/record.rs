//! `locktoll record`.

use crate::cli::RecordArgs;
use crate::exit::{Ending, Outcome};

/// Runs the verb.
pub fn run(_args: &RecordArgs) -> Outcome {
    Ok(Ending::Done)
}

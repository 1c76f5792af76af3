//! The verb, from flags to what the user reads.

use crate::cli::TryArgs;
use crate::exit::{Failure, Outcome};
use crate::verbs::present;

/// Runs the verb.
pub fn run(args: &TryArgs) -> Outcome {
    present::check(&args.output)?;
    Err(Failure::Unsupported("`try` is being built".to_owned()))
}

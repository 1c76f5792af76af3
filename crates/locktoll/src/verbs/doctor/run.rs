//! Reads the system, and shows what was found.

use crate::cli::DoctorArgs;
use crate::doctor::{Reading, Verb, Word, refusal};
use crate::exit::{Ending, Failure, Outcome};
use crate::report::DoctorResult;
use crate::verbs::present;

/// Runs the verb.
pub fn run(args: &DoctorArgs) -> Outcome {
    present::check(&args.output)?;
    let asked = args.asked()?;
    let reading = Reading::take().tried();
    let result = DoctorResult::of(&reading, asked);
    present::put(&args.output, &result)?;
    match asked {
        Some(verb) if result.works(verb) == Some(Word::Not) => Err(cannot(verb, &reading)),
        _ => Ok(Ending::Done),
    }
}

/// The line that the verb itself would end with.
fn cannot(verb: Verb, reading: &Reading) -> Failure {
    let line = refusal(verb, reading);
    Failure::Unsupported(line.unwrap_or_else(|| format!("`{}` cannot work here", verb.words())))
}

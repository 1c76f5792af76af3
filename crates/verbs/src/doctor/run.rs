//! Reads the system and shows the findings.

use super::needs_nothing::NeedsNothing;
use super::result::judged;
use crate::diagnosis::{Reading, refusal};
use crate::doctor::flags::DoctorArgs;
use crate::present;
use locktoll_results::Made;
use locktoll_results::doctor::{Verb, Word};
use locktoll_terminal::failure::{Ending, Failure, Outcome};

/// Runs the verb.
pub fn run(args: &DoctorArgs) -> Outcome {
    present::check(&args.output)?;
    let asked = args.asked()?;
    if let Some(verb) = asked.filter(|verb| verb.needs_nothing()) {
        let mut result = judged(&Reading::take(), asked);
        result.made = Some(Made::now());
        return present::put(&args.output, &NeedsNothing { verb, result });
    }
    let reading = Reading::take().tried();
    let mut result = judged(&reading, asked);
    result.made = Some(Made::now());
    present::put(&args.output, &result)?;
    match asked {
        Some(verb) if result.works(verb) == Some(Word::Not) => Err(cannot(verb, &reading)),
        _ => Ok(Ending::Done),
    }
}

/// Returns the line with which the verb itself would end.
fn cannot(verb: Verb, reading: &Reading) -> Failure {
    let line = refusal(verb, reading);
    Failure::Unsupported(line.unwrap_or_else(|| format!("`{}` does not work here", verb.words())))
}

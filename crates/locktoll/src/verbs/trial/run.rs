//! The verb, from flags to what the user reads.

use std::time::Duration;

use super::{list, request};
use crate::cli::{ResultFormat, TryArgs};
use crate::embedded::{self, Library};
use crate::exit::{Ending, Failure, Outcome};
use crate::interrupt::Interrupt;
use crate::output;
use crate::trial::{Contestant, Processes, Runner};
use crate::verbs::present;

/// Runs the verb.
pub fn run(args: &TryArgs) -> Outcome {
    if args.list {
        return match args.output.format() {
            ResultFormat::Text => output::print(&list::list(&[])),
            ResultFormat::Json => output::print(&list::json(&[])?),
            ResultFormat::Html => Err(Failure::Usage(
                "--list is text or json; a page shows what was measured".to_owned(),
            )),
        };
    }
    let chosen = request::candidates(&args.lock)?;
    let (subject, warnings) = request::subject(args)?;
    present::check(&args.output)?;
    let library = embedded::extract(Library::Substitute)?;
    for warning in warnings {
        output::say(&format!("locktoll: {warning}"));
    }
    let interrupt = Interrupt::listen()?;
    let mut processes = Processes::new(subject, library, interrupt)?;
    let limit = Duration::from_secs(60);
    for round in 0..args.rounds.unwrap_or(3) {
        let outcome = processes.run(&Contestant::Bare, limit)?;
        output::say(&format!("{round} bare: {outcome:?}"));
        for candidate in &chosen {
            let contestant = Contestant::Candidate(candidate.name.to_owned());
            let outcome = processes.run(&contestant, limit)?;
            output::say(&format!("{round} {}: {outcome:?}", candidate.name));
        }
    }
    Ok(Ending::Done)
}

//! Which verb runs.

use crate::cli::{Cli, Verb};
use crate::exit::Outcome;

use super::{completions, demo, man, record, report};

/// Runs the verb that was asked for.
pub fn run(cli: Cli) -> Outcome {
    match cli.verb {
        Verb::Record(args) => record::run(&args),
        Verb::Report(args) => report::run(&args),
        Verb::Completions { shell } => completions::run(shell),
        Verb::Man => man::run(),
        Verb::Demo => demo::run(),
        Verb::Tour(_) | Verb::Bench(_) | Verb::Cell => unimplemented!("lands with the lab"),
    }
}

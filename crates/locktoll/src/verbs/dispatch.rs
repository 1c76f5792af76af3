//! Which verb runs.

use crate::cli::{Cli, Verb};
use crate::exit::Outcome;
use crate::slice_process;

use super::{bench, completions, demo, man, record, report, tour};

/// Runs the verb that was asked for.
pub fn run(cli: Cli) -> Outcome {
    match cli.verb {
        Verb::Record(args) => record::run(&args),
        Verb::Report(args) => report::run(&args),
        Verb::Completions { shell } => completions::run(shell),
        Verb::Man => man::run(),
        Verb::Demo { milliseconds } => demo::run(milliseconds),
        Verb::Tour(args) => tour::run(&args),
        Verb::Bench(args) => bench::run(&args),
        Verb::Cell => slice_process::serve(),
    }
}

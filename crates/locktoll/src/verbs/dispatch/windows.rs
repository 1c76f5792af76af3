//! The verbs of Windows.

use crate::cli::{Inner, Start, Verb};
use crate::exit::{Failure, Outcome};
use crate::slice_process;
use crate::verbs::{bench, compare, completions, doctor, machine, man, report, reproduce};

/// Runs what the process was started for.
pub fn run(start: Start) -> Outcome {
    let cli = match start {
        Start::User(cli) => cli,
        Start::Inner(Inner::Cell) => return slice_process::serve(),
        Start::Inner(_) => {
            return Err(Failure::Unsupported(
                "the programs that Linux's verbs watch are not there".to_owned(),
            ));
        }
    };
    match cli.verb {
        Verb::Report(args) => report::run(&args),
        Verb::Reproduce(args) => reproduce::run(&args),
        Verb::Compare(args) => compare::run(&args),
        Verb::Doctor(args) => doctor::run(&args),
        Verb::Completions { shell } => completions::run(shell),
        Verb::Man => man::run(),
        Verb::Machine(args) => machine::run(&args),
        Verb::Bench(args) => bench::run(&args),
    }
}

//! The verbs of Linux.

use crate::cli::{Inner, Start, Verb};
use crate::exit::Outcome;
use crate::slice_process;
use crate::system::entries::serve_entries;
use crate::verbs::{
    attach, bench, compare, completions, demo, doctor, kernel, machine, man, record, report,
    reproduce, top, tour, trial, watch,
};

/// Runs what the process was started for.
pub fn run(start: Start) -> Outcome {
    let cli = match start {
        Start::User(cli) => cli,
        Start::Inner(Inner::Cell) => return slice_process::serve(),
        Start::Inner(Inner::Demo { milliseconds }) => return demo::run(milliseconds),
        Start::Inner(Inner::Pairs { milliseconds }) => return demo::run_pairs(milliseconds),
        Start::Inner(Inner::Build {
            milliseconds,
            jobs,
            hogs,
        }) => return demo::run_build(milliseconds, jobs, hogs),
        Start::Inner(Inner::Entries { lock, pairs }) => {
            return serve_entries(&lock, pairs);
        }
    };
    match cli.verb {
        Verb::Record(args) => record::run(&args),
        Verb::Report(args) => report::run(&args),
        Verb::Reproduce(args) => reproduce::run(&args),
        Verb::Attach(args) => attach::run(&args),
        Verb::Kernel(args) => kernel::run(&args),
        Verb::Compare(args) => compare::run(&args),
        Verb::Doctor(args) => doctor::run(&args),
        Verb::Completions { shell } => completions::run(shell),
        Verb::Man => man::run(),
        Verb::Tour(args) => tour::run(&args),
        Verb::Machine(args) => match args.live.watch {
            Some(pid) => watch::run(pid, &args.live, &args.output),
            None => machine::run(&args),
        },
        Verb::Top(args) => top::run(&args),
        Verb::Try(args) => trial::run(&args),
        Verb::Bench(args) => bench::run(&args),
    }
}

//! The tour, stop by stop.

use locktoll_lab::machine::Machine;

use super::findings::findings;
use super::{demonstration, prices};
use crate::cli::TourArgs;
use crate::exit::{Ending, Failure, Outcome};
use crate::interrupt::Interrupt;
use crate::report::{TourResult, tour_json, tour_text};
use crate::{output, progress};

/// What to type next, and why.
const NEXT: [(&str, &str); 4] = [
    (
        "locktoll record -- YOUR-PROGRAM",
        "which of its locks cost time, and where they are taken",
    ),
    (
        "locktoll bench --list",
        "every lock and workload there is to compare",
    ),
    (
        "locktoll bench --threads 1..8 --hold 1us --think 5us",
        "something nearer to your program",
    ),
    ("locktoll bench --help", "every knob, with examples"),
];

/// Runs the verb.
pub fn run(args: &TourArgs) -> Outcome {
    let machine = Machine::observe();
    let interrupt = Interrupt::listen()?;
    progress::stage("1 of 3: the price of each lock, free and fought for");
    let alone = prices::fast_paths(&machine, &interrupt)?;
    go_on(&interrupt)?;
    let contended = prices::contended(&machine, &interrupt)?;
    go_on(&interrupt)?;
    progress::stage("2 of 3: recording a small job server, 4 s");
    let profile = demonstration::record_the_job_server()?;
    go_on(&interrupt)?;
    progress::stage("3 of 3: what the figures say");
    let result = TourResult {
        schema: "locktoll.tour/1",
        findings: findings(&alone, &contended, &profile),
        uncontended: alone,
        contended,
        profile,
        next: NEXT
            .map(|(command, why)| (command.to_owned(), why.to_owned()))
            .to_vec(),
    };
    output::print(&if args.json {
        tour_json(&result)?
    } else {
        tour_text(&result)
    })?;
    Ok(Ending::Done)
}

/// Half a tour says nothing: stop where the user asks.
fn go_on(interrupt: &Interrupt) -> Result<(), Failure> {
    if interrupt.requested() {
        return Err(Failure::Run(anyhow::anyhow!(
            "interrupted: the tour shows nothing by halves; `locktoll bench` and `locktoll record` \
             show what there is so far"
        )));
    }
    Ok(())
}

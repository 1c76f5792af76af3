//! The tour, part by part.

use locktoll_lab::machine::Machine;

use super::findings::findings;
use super::{advised, demonstration, prices};
use crate::present;
use crate::tour::flags::TourArgs;
use locktoll_results::advice::AdviceResult;
use locktoll_results::bench::BenchResult;
use locktoll_results::profile::Profile;
use locktoll_results::tour::{AppliedAdvice, TourResult};
use locktoll_terminal::failure::{Ending, Failure, Outcome};
use locktoll_terminal::interrupt::Interrupt;
use locktoll_terminal::output;

/// Commands to type next, and the reasons.
const NEXT: [(&str, &str); 9] = [
    (
        "locktoll record -- YOUR-PROGRAM",
        "which of its locks cost time, where, and who holds them",
    ),
    (
        "locktoll attach PID",
        "the same for a program that is already running",
    ),
    (
        "locktoll advise -- YOUR-PROGRAM",
        "what to change, and what it gains",
    ),
    ("locktoll top", "which programs wait for locks right now"),
    (
        "locktoll try -- YOUR-PROGRAM",
        "whether it runs faster with another lock",
    ),
    (
        "locktoll machine",
        "what locks and context switches cost here, in detail",
    ),
    (
        "locktoll bench --threads 1..8 --hold 1us --think 5us",
        "locks under a load like your program's",
    ),
    ("locktoll doctor", "which of these work on this machine"),
    (
        "locktoll tour -o tour.html",
        "this report as a page with charts, for a browser",
    ),
];

/// Runs the verb.
pub fn run(args: &TourArgs) -> Outcome {
    present::check(&args.output)?;
    let machine = Machine::observe();
    let interrupt = Interrupt::listen()?;
    output::say("1 of 3: lock costs, uncontended and contended");
    let alone = prices::fast_paths(&machine, &interrupt)?;
    go_on(&interrupt)?;
    let contended = prices::contended(&machine, &interrupt)?;
    go_on(&interrupt)?;
    output::say("2 of 3: recording a small job server for 4 s");
    let profile = demonstration::record_the_job_server()?;
    go_on(&interrupt)?;
    let advice = crate::advise::advice(&profile, None);
    let applied = match advised::is_applicable(&advice) {
        true => {
            output::say("3 of 3: advice on it, applied for 2 s");
            advised::applied(&advice, &profile, &demonstration::record_the_remedy()?)
        }
        false => None,
    };
    go_on(&interrupt)?;
    let result = conclude(alone, contended, profile, advice, applied);
    present::put(&args.output, &result)?;
    Ok(Ending::Done)
}

/// Combines the figures with the conclusions from them.
pub fn conclude(
    alone: BenchResult,
    contended: BenchResult,
    profile: Profile,
    advice: AdviceResult,
    applied: Option<AppliedAdvice>,
) -> TourResult {
    TourResult {
        schema: "locktoll.tour/1".to_owned(),
        findings: findings(&alone, &contended, &profile),
        uncontended: alone,
        contended,
        profile,
        advice: Some(advice),
        applied,
        next: NEXT
            .map(|(command, why)| (command.to_owned(), why.to_owned()))
            .to_vec(),
    }
}

/// Stops if the user asks for it: half a tour is of no use.
fn go_on(interrupt: &Interrupt) -> Result<(), Failure> {
    if interrupt.requested() {
        return Err(Failure::Run(anyhow::anyhow!(
            "interrupted; the tour prints no partial report (`locktoll bench` and `locktoll record` do)"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use locktoll_lab::workload::Kind;

    use super::*;
    use locktoll_made_up::mock;
    use locktoll_made_up::sample;
    use locktoll_shown::Shown;

    fn made_up(profile: Profile) -> TourResult {
        let bench = |locks: &[&str], workload, threads| {
            mock::run(&mock::experiment(locks, workload, &[threads]), usize::MAX)
        };
        let advice = crate::advise::advice(&profile, None);
        let applied = advised::is_applicable(&advice).then(|| AppliedAdvice {
            name: "log_lock".to_owned(),
            predicted: advice.remedies[0].gain.unwrap(),
            before_per_second: 943.0,
            after_per_second: 2_100.0,
        });
        conclude(
            bench(&["pthread", "std", "sysv-sem"], Kind::Pair, 1),
            bench(&["pthread", "std"], Kind::List, 8),
            profile,
            advice,
            applied,
        )
    }

    #[test]
    fn the_whole_tour_at_a_glance() {
        let page = made_up(sample::job_server()).text();
        insta::assert_snapshot!(anstream::adapter::strip_str(&page).to_string());
    }

    #[test]
    fn nothing_is_said_that_the_figures_do_not_bear() {
        let mut quiet = sample::job_server();
        quiet.locks.clear();
        quiet.wait_ns = 0;
        let findings = made_up(quiet).findings.join(" ");
        assert!(findings.contains("pthread mutex costs"), "{findings}");
        assert!(!findings.contains("job server"), "{findings}");
    }
}

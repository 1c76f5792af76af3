//! The verb, from flags to its output.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use locktoll_lab::machine::Machine;
use locktoll_lab::noise::Watch;
use locktoll_substitute::candidate;

use super::{beforehand, list, request};
use crate::diagnosis::{Reading, no_slice_extension, refusal};
use crate::present;
use crate::run_program::embedded;
use crate::run_program::embedded::Library;
use crate::run_program::launch::adopt_strays;
use crate::trial::flags::TryArgs;
use crate::trial::{
    Candidate, EndedEarly, Processes, Progress, Settings, Unplayable, conclusion, play,
};
use locktoll_results::Made;
use locktoll_results::doctor::Verb;
use locktoll_results::trial::{TrialResult, WhyDropped};
use locktoll_shown::{JSON, TEXT};
use locktoll_terminal::escape::{shown, shown_text};
use locktoll_terminal::failure::{Ending, Failure, Outcome};
use locktoll_terminal::interrupt::Interrupt;
use locktoll_terminal::output;

/// Runs the verb.
pub fn run(args: &TryArgs) -> Outcome {
    let machine = Machine::observe();
    let cpus = machine.usable_cpus.len() as u32;
    if args.list {
        return print_list(args.output.format().name, cpus);
    }
    let candidates = request::candidates(&args.lock, cpus)?;
    let (subject, warnings) = request::subject(request::Wanted {
        command: &args.command,
        load: args.runs.load.as_deref(),
        ready: args.runs.ready.as_deref(),
        metric: args.runs.metric.as_deref(),
        rounds: args.runs.rounds,
    })?;
    request::refuse_slice_extension(&candidates, || no_slice_extension(&Reading::take()))?;
    present::check(&args.output)?;
    let library = embedded::extract(Library::Substitute)?;
    for warning in warnings {
        output::say(&format!("locktoll: {warning}"));
    }

    // This must come before any process is started that could be left behind.
    adopt_strays().map_err(without_strays)?;
    let interrupt = Interrupt::listen()?;
    let watch = Watch::start();
    let time_limit = args.runs.limit();
    let began = Instant::now();
    let timeout = args.runs.limit_of_run();
    let load = subject.load.as_ref().map(|it| vec![it.command.clone()]);
    let mut processes = Processes::new(subject, timeout, library, interrupt.clone())?;
    let only = beforehand::look(&mut processes, time_limit, args.only.as_deref())?;

    let took_beforehand = began.elapsed();

    let settings = Settings {
        candidates: candidates.iter().filter_map(described).collect(),
        metric: args.runs.metric(),
        rounds: args.runs.rounds,
        time_limit: time_limit.saturating_sub(took_beforehand),
        seed: seed(),
    };
    let mut progress = Progress::new(interrupt);
    let played = play(&mut processes, &settings, &mut progress);
    progress.clear();
    let played = played.map_err(unplayable)?;
    let noise = watch.finish();
    let conclusion = conclusion(&played, &noise);
    let mut remarks = played.remarks.clone();
    remarks.extend(
        processes.bare_was_killed().then(|| {
            "the unmodified server did not end by SIGTERM either, and was killed".to_owned()
        }),
    );
    let result = TrialResult {
        schema: TrialResult::SCHEMA.to_owned(),
        version: locktoll_terminal::version::version().to_owned(),
        command: args.command.iter().map(|word| shown(word)).collect(),
        load: load.map(|words| words.iter().map(|word| shown_text(word)).collect()),
        only,
        made: Some(Made::now()),
        machine,
        noise,
        partial: played.partial(),
        rounds: played.rounds,
        final_rounds: played.final_rounds,
        announced_ns: time_limit.as_nanos() as u64,
        taken_ns: played.taken_ns + took_beforehand.as_nanos() as u64,
        same_against_same: played.same_against_same,
        conclusion,
        remarks,
        metric: played.metric,
        results: played.results,
        best: played.best,
    };
    present::put(&args.output, &result)?;
    ending(played.ended_early, processes.exit_code())
}

fn ending(ended_early: Option<EndedEarly>, exit_code: u8) -> Outcome {
    match ended_early {
        Some(EndedEarly::Interrupted) => Err(Failure::Run(anyhow::anyhow!(
            "interrupted: the figures above are partial"
        ))),
        Some(EndedEarly::BareFailed(_)) => Err(Failure::Run(anyhow::anyhow!(
            "the unmodified program failed; the figures above are partial"
        ))),
        Some(EndedEarly::OutOfTime) | None => Ok(Ending::ProgramStatus(exit_code)),
    }
}

/// Prints the answer to `--list`.
fn print_list(format: &str, cpus: u32) -> Outcome {
    match format {
        TEXT => output::print(&list::list(cpus)),
        JSON => output::print(&list::json(cpus)?),
        _ => Err(Failure::Usage(
            "--list has the formats text and json".to_owned(),
        )),
    }
}

fn described(candidate: &candidate::Candidate) -> Option<Candidate> {
    let description = candidate.description()?;
    Some(Candidate {
        name: candidate.to_string(),
        summary: match candidate.slice_extension {
            true => format!(
                "{}; a thread requests a longer time slice while it holds a mutex",
                description.summary
            ),
            false => description.summary.to_owned(),
        },
        is_pure_spinner: description.is_pure_spinner,
        remarks: Vec::new(),
    })
}

/// Returns the failure for a kernel, real or emulated, that cannot hand us the processes that a program leaves behind, in the
/// words of `doctor`.
pub fn without_strays(error: std::io::Error) -> Failure {
    let line = refusal(Verb::Try, &Reading::take());
    Failure::Unsupported(line.unwrap_or_else(|| {
        format!("locktoll could not find the processes that the program leaves behind: {error}")
    }))
}

/// Turns the reason why there is no result into a failure, and first prints the last lines of the program itself.
fn unplayable(why: Unplayable) -> Failure {
    if let Unplayable::Bare(
        WhyDropped::Signal {
            said: Some(said), ..
        }
        | WhyDropped::ExitCode {
            said: Some(said), ..
        },
    ) = &why
    {
        output::say(&format!(
            "locktoll: last lines of the program's standard error:\n{said}"
        ));
    }
    Failure::Run(why.into())
}

/// Returns a seed that gives another order of the runs each time.
fn seed() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_nanos() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exit_code_is_that_of_the_program_unless_the_trial_failed() {
        for early in [None, Some(EndedEarly::OutOfTime)] {
            let ended = ending(early, 7);
            assert!(matches!(ended, Ok(Ending::ProgramStatus(7))), "{ended:?}");
        }
        let told = |early| match ending(Some(early), 7) {
            Err(Failure::Run(error)) => error.to_string(),
            other => panic!("{other:?}"),
        };
        assert!(told(EndedEarly::Interrupted).starts_with("interrupted: "));
        let failed = EndedEarly::BareFailed(WhyDropped::ClearlyWorse);
        assert!(told(failed).starts_with("the unmodified program failed"));
    }

    #[test]
    fn a_candidate_is_described_as_in_the_list() {
        for known in candidate::ALL {
            let parsed = candidate::parse(known.name.as_bytes()).ok().unwrap();
            let described = described(&parsed).unwrap();
            assert_eq!(described.name, parsed.to_string());
            assert_eq!(described.summary, known.summary);
            assert_eq!(described.is_pure_spinner, known.is_pure_spinner);
            let sliced = candidate::Candidate {
                slice_extension: true,
                ..parsed
            };
            let sliced = self::described(&sliced).unwrap();
            assert_eq!(sliced.name, format!("{}+slice", described.name));
            assert!(sliced.summary.contains("time slice"));
        }
    }

    #[test]
    fn the_list_has_two_formats() {
        assert!(matches!(print_list("html", 2), Err(Failure::Usage(_))));
        for format in [TEXT, JSON] {
            assert!(print_list(format, 2).is_ok(), "{format}");
        }
    }
}

//! Watches the kernel's locks while a program runs, for a given time, or until asked to stop.

use std::ffi::OsString;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use locktoll_lab::clock::{Clock, Source};

use super::live::Live;
use crate::groups::InKernel;
use crate::kernel::flags::{Axis, KernelArgs};
use crate::present;
use crate::progress_bar::TimeLeft;
use crate::run_program::launch;
use crate::run_program::launch::{Ended, Launch, ProgramStdout, Signals};
use crate::run_program::program;
use locktoll_shown::{HTML, JSON, KernelPage, TEXT};
use locktoll_sources::ebpf::privileges::{Duty, keep_for};
use locktoll_sources::kernel_locks::{Waiters, Wanted};
use locktoll_terminal::failure::{Ending, Failure, Outcome};
use locktoll_terminal::interrupt::Interrupt;

/// How soon Ctrl-C is noticed.
const LOOK: Duration = Duration::from_millis(50);

/// Runs the verb.
pub fn run(args: &KernelArgs) -> Outcome {
    present::check(&args.output)?;
    if args.live && args.output.format().name == HTML && to_stdout(args) {
        return Err(Failure::Usage(
            "--live shows text, line by line; with --format html, give the page a file with -o"
                .to_owned(),
        ));
    }
    let program = match args.command.first() {
        Some(name) => Some(program::find(name, std::env::var_os("PATH").as_deref())?),
        None => None,
    };
    let writing = Vec::from_iter(present::duty(args.output.output.as_deref()));
    let clock = Clock::card();
    let wanted = Wanted {
        by_caller: args.by.contains(&Axis::Caller),
        by_lock: args.by.contains(&Axis::Lock),
        of: waiters(args)?,
        ticks_per_ns: (clock.source == Source::Tsc).then_some(clock.ticks_per_ns),
        entries: args.max_entries,
    };
    let (result, ended) = match program {
        Some(program) => {
            let signals = Signals::hold()?;
            let mut live = Live::begin(args, wanted)?;
            let launch = Launch {
                command: &args.command,
                program: &program,
                orders: None,
                stdout: programs_stdout(args),
                // The program may have changed its user.
                once_started: &|_| keep_for(&[Duty::Signal]),
            };
            let ended = while_it_runs(&launch, &signals, &mut live, &writing)?;
            (live.finish()?, Some(ended))
        }
        None => {
            let interrupt = Interrupt::listen()?;
            let mut live = Live::begin(args, wanted)?;
            keep_for(&writing);
            let end = args
                .duration
                .map(|ns| Instant::now() + Duration::from_nanos(ns));
            // With --live, each interval is a line of its own.
            let shown = match args.live {
                true => None,
                false => TimeLeft::until(end),
            };
            while !interrupt.requested() && end.is_none_or(|end| Instant::now() < end) {
                if let Some(shown) = &shown {
                    shown.show();
                }
                let left = end.map_or(LOOK, |end| end.saturating_duration_since(Instant::now()));
                std::thread::sleep(left.min(LOOK));
                live.pass()?;
            }
            drop(shown);
            (live.finish()?, None)
        }
    };
    let page = KernelPage {
        result: &result,
        top: args.top as usize,
        by_cpu: args.by.contains(&Axis::Cpu),
        cycles: args.cycles,
    };
    let put = match args.live && args.output.format().name == JSON {
        true => super::live::put_line(&args.output, &result),
        false => present::put(&args.output, &page),
    };
    match (ended, put) {
        // The reader of our output has seen enough; the program's own status must still be passed on.
        (Some(ended), Ok(_) | Err(Failure::OutputClosed)) => {
            Ok(Ending::ProgramStatus(ended.code()))
        }
        (_, put) => put,
    }
}

/// Returns whose waits are wanted.
fn waiters(args: &KernelArgs) -> Result<Waiters, Failure> {
    Ok(match (args.group.find()?, args.only) {
        (Some(group), _) => {
            let InKernel { id, level } = group.in_kernel()?;
            Waiters::InGroup { id, level }
        }
        (None, true) => Waiters::Started,
        (None, false) => Waiters::All,
    })
}

/// Chooses the program's standard output: if a document goes to ours, nothing else does; otherwise the program's output comes
/// first, then the page.
fn programs_stdout(args: &KernelArgs) -> ProgramStdout {
    match args.output.format().name != TEXT && to_stdout(args) {
        true => ProgramStdout::OurStderr,
        false => ProgramStdout::Ours,
    }
}

fn to_stdout(args: &KernelArgs) -> bool {
    let output = args.output.output.as_deref();
    output.is_none_or(|path| path.as_os_str() == "-")
}

/// Runs the program to its end, and shows the intervals meanwhile.
fn while_it_runs(
    launch: &Launch<'_>,
    signals: &Signals,
    live: &mut Live<'_>,
    writing: &[Duty],
) -> Result<Ended, Failure> {
    let (send, ended) = channel();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // The receiver is gone only if showing an interval failed.
            let _ = send.send(launch::run(launch, signals));
        });
        // The other thread starts the program, with all privileges that we were given.
        keep_for(writing);
        look_until_ended(&ended, live)
    })
}

fn look_until_ended(
    ended: &Receiver<Result<Ended, Failure>>,
    live: &mut Live<'_>,
) -> Result<Ended, Failure> {
    let mut shown = Ok(());
    loop {
        match ended.recv_timeout(LOOK) {
            Ok(ended) => {
                let ended = ended?;
                shown?;
                return Ok(ended);
            }
            Err(RecvTimeoutError::Timeout) => {
                if shown.is_ok() {
                    shown = live.pass();
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::Run(anyhow::anyhow!(
                    "the end of the program was missed"
                )));
            }
        }
    }
}

/// Returns the command as the reader sees it.
pub(super) fn words(command: &[OsString]) -> Option<Vec<String>> {
    (!command.is_empty()).then(|| {
        let words = command.iter().map(|word| word.to_string_lossy());
        words.map(|word| word.into_owned()).collect()
    })
}

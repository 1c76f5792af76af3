//! What is said on standard error, where it does not mix with results.

use std::os::unix::process::ExitStatusExt;

use super::recipe::Recorded;
use crate::diagnosis::{Reading, refusal};
use crate::run_program::launch::{Leftover, StillRunning};
use crate::run_program::program::Runtime;
use locktoll_results::doctor::Verb;
use locktoll_results::profile::Profile;
use locktoll_sources::recording::why_it_stopped;
use locktoll_terminal::escape::{shown, word};
use locktoll_terminal::failure::Failure;
use locktoll_terminal::output;

/// Says something.
pub fn warn(text: &str) {
    output::say(&format!("locktoll: {text}"));
}

/// That earlier runs left something behind.
pub fn leftovers(leftovers: &[Leftover]) {
    for leftover in leftovers {
        let folder = leftover.0.as_os_str();
        let (folder, word) = (shown(folder), word(folder));
        warn(&format!(
            "an earlier recording was cut short; its parts are in {folder} (`locktoll report {word}` reads them)"
        ));
    }
}

/// That holders are not watched, and why.
pub fn preemption_is_estimated(why: &Failure) {
    let known = refusal(Verb::RecordPreemption, &Reading::take());
    let why = known.unwrap_or_else(|| why.to_string());
    warn(&format!(
        "{why}. What is said of preempted holders is an estimate from the recorder's own figures"
    ));
}

/// That holders were watched, and nothing of it is left.
pub fn preemption_is_lost(why: &anyhow::Error) {
    warn(&format!(
        "what the kernel saw of preempted holders could not be read ({why:#})"
    ));
}

/// That processes go on after the program's end.
pub fn still_running(found: &StillRunning) {
    match found.recorded {
        0 => {}
        1 => warn("1 process that it started is still running, and is recorded up to here"),
        many => warn(&format!(
            "{many} processes that it started are still running, and are recorded up to here"
        )),
    }
    let processes = match found.unrecorded {
        0 => return,
        1 => "1 process that it started is still running and is".to_owned(),
        many => format!("{many} processes that it started are still running and are"),
    };
    warn(&format!(
        "{processes} not recorded: statically linked, of another architecture, or under another identity"
    ));
}

/// That the program was ended by a signal.
pub fn how_it_ended(recorded: &Recorded) {
    if let Some(signal) = recorded.ended.status.signal() {
        let name = signal_name(signal);
        warn(&format!(
            "the program was ended by signal {signal}{name}; everything up to then is in the recording"
        ));
    }
}

/// The name of a signal that ends programs, in brackets.
fn signal_name(number: i32) -> &'static str {
    use rustix::process::Signal;
    match Signal::from_named_raw(number) {
        Some(Signal::HUP) => " (SIGHUP)",
        Some(Signal::INT) => " (SIGINT)",
        Some(Signal::QUIT) => " (SIGQUIT)",
        Some(Signal::ILL) => " (SIGILL)",
        Some(Signal::TRAP) => " (SIGTRAP)",
        Some(Signal::ABORT) => " (SIGABRT)",
        Some(Signal::BUS) => " (SIGBUS)",
        Some(Signal::FPE) => " (SIGFPE)",
        Some(Signal::KILL) => " (SIGKILL)",
        Some(Signal::SEGV) => " (SIGSEGV)",
        Some(Signal::PIPE) => " (SIGPIPE)",
        Some(Signal::ALARM) => " (SIGALRM)",
        Some(Signal::TERM) => " (SIGTERM)",
        Some(Signal::XCPU) => " (SIGXCPU)",
        Some(Signal::SYS) => " (SIGSYS)",
        _ => "",
    }
}

/// That recording stopped before the program did: once, for however many processes.
pub fn stops(recorded: &Recorded) {
    let Some(&reason) = recorded.stops.first() else {
        return;
    };
    let whose = match recorded.stops.len() {
        1 => "1 process".to_owned(),
        many => format!("{many} processes"),
    };
    warn(&format!(
        "recording of {whose} stopped before the end: {}; the program was not affected",
        why_it_stopped(reason)
    ));
}

/// That there is nothing to see, and why that may be.
pub fn no_locks(recorded: &Recorded, profile: &Profile) {
    if profile.locks.is_empty() {
        warn(why_no_locks(recorded.runtime));
    }
}

fn why_no_locks(runtime: Runtime) -> &'static str {
    match runtime {
        Runtime::Go => {
            "no lock was seen: Go's locks live in its own run-time, which a preload library cannot \
             see; Go's own mutex profile can (runtime.SetMutexProfileFraction)"
        }
        Runtime::Rust => {
            "no lock was seen: those of Rust's standard library are seen only when a thread waits \
             for one, so none had to wait"
        }
        Runtime::RustParkingLot => {
            "no lock was seen: those of Rust's standard library and of parking_lot are seen only \
             when a thread waits for one, so none had to wait"
        }
        Runtime::Other => {
            "no lock was seen: the program took none through the C library, or it makes its own of \
             system calls, or all its work was done by children that could not be recorded"
        }
    }
}

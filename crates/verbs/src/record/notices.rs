//! The messages on standard error, where they do not mix with results.

use std::os::unix::process::ExitStatusExt;

use super::recipe::Recorded;
use crate::diagnosis::{Reading, refusal};
use crate::run_program::launch::{Leftover, StillRunning};
use crate::run_program::program::Runtime;
use locktoll_recording::reader::ReadError;
use locktoll_results::doctor::Verb;
use locktoll_results::profile::Profile;
use locktoll_results::profile::timeline::Kept;
use locktoll_sources::perf::Refused;
use locktoll_sources::recording::why_it_stopped;
use locktoll_terminal::escape::{shown, shown_text, word};
use locktoll_terminal::failure::Failure;
use locktoll_terminal::output;
use locktoll_terminal::quantity::counted;

/// Prints a message.
pub fn warn(text: &str) {
    output::say(&format!("locktoll: {text}"));
}

/// Says that earlier runs left something behind.
pub fn leftovers(leftovers: &[Leftover]) {
    for leftover in leftovers {
        let folder = leftover.0.as_os_str();
        let (folder, word) = (shown(folder), word(folder));
        warn(&format!(
            "an earlier recording was cut short; its parts are in {folder} (`locktoll report {word}` reads them)"
        ));
    }
}

/// Says that processes that have ended could not be added up. It is tried again.
pub fn not_added_up(why: &ReadError) {
    warn(&format!(
        "the processes that have ended could not be added up: a part {why}. It is tried again; until then, the recording grows with each process"
    ));
}

/// Says that busy waiting is not detected, and why.
pub fn busy_waiting_is_not_seen(why: Refused) {
    warn(&format!(
        "busy waiting is not detected: {why}; `locktoll doctor record` names the command that allows it"
    ));
}

/// Says that holders are not watched, and why.
pub fn preemption_is_estimated(why: &Failure) {
    let known = refusal(Verb::RecordPreemption, &Reading::take());
    let why = known.unwrap_or_else(|| why.to_string());
    warn(&format!(
        "{why}. Figures on preempted holders are an estimate from the recorder's own data"
    ));
}

/// Says that holders were watched, but that the data is lost.
pub fn preemption_is_lost(why: &anyhow::Error) {
    warn(&format!(
        "the kernel's data on preempted holders could not be read ({why:#})"
    ));
}

/// Says that what locktoll itself kept for the timeline is lost.
pub fn timeline_is_lost() {
    warn(
        "a fault in locktoll ended the thread that keeps events for the timeline while the program runs. The recording has the last \
         events of each thread instead of those around long waits, and no times without a CPU",
    );
}

/// Says that the kernel had no room for some times without a CPU.
pub fn times_are_missing(number: u64) {
    warn(&format!(
        "the timeline lacks {} without a CPU: threads were switched faster than locktoll read the kernel's ring",
        counted(number, "time", "times")
    ));
}

/// Says why the timeline has fewer events than were expected.
pub fn nothing_kept(kept: &Kept, events: usize) {
    if events == 0 && !kept.only.is_empty() {
        warn(&format!(
            "the timeline has no events of {}; give a lock's name or id as the report shows it, or a part of it",
            shown_text(&kept.only.join(", "))
        ));
    }
    if let Some(when) = kept.when.as_ref().filter(|_| events == 0) {
        warn(&format!(
            "the timeline is empty: no thread waited for a lock that long ({})",
            shown_text(when)
        ));
    }
    if kept.missed > 0 {
        warn(&format!(
            "there was no room for all events around {}; give more room, such as --timeline={}MiB",
            counted(kept.missed, "long wait", "long waits"),
            (kept.room_bytes >> 20).max(1) * 4
        ));
    }
}

/// Says that processes go on after the program's end.
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

/// Says that a signal ended the program.
pub fn how_it_ended(recorded: &Recorded) {
    if let Some(signal) = recorded.ended.status.signal() {
        let name = signal_name(signal);
        warn(&format!(
            "the program was killed by signal {signal}{name}; the recording contains everything up to then"
        ));
    }
}

/// Returns the name of a signal that ends programs, in brackets.
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

/// Says that recording stopped before the program did: once, for any number of processes.
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

/// Says that there is nothing to see, and why that may be.
pub fn no_locks(recorded: &Recorded, profile: &Profile) {
    if profile.locks.is_empty() {
        warn(why_no_locks(recorded.runtime));
    }
}

fn why_no_locks(runtime: Runtime) -> &'static str {
    match runtime {
        Runtime::Go => {
            "no lock was seen: Go implements its locks in its own runtime, which a preload library \
             cannot see; `locktoll attach PID` and Go's mutex profile can"
        }
        Runtime::Rust => {
            "no lock was seen: a lock of Rust's standard library is recorded only when a thread waits \
             for it, so no thread waited"
        }
        Runtime::RustParkingLot => {
            "no lock was seen: a lock of Rust's standard library or of parking_lot is recorded only \
             when a thread waits for it, so no thread waited"
        }
        Runtime::Other => {
            "no lock was seen: the program uses no locks of the C library, or builds its own on \
             system calls, or left the work to children that could not be recorded"
        }
    }
}

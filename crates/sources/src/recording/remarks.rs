//! Notes for the reader of the figures, in plain sentences.

use locktoll_recording::layout::StopReason;
use locktoll_recording::reader::{Part, Recording};

use super::times::Times;
use super::unlisted;
use locktoll_terminal::quantity::counted;

/// More sentences of one kind than this would bury the others.
const LIMIT: usize = 3;

/// Returns sentences about missing and incomplete data.
pub fn about(recording: &Recording, parts: &[&Part], times: &Times) -> Vec<String> {
    let mut remarks = Vec::new();
    for warning in recording.warnings.iter().take(LIMIT) {
        remarks.push(format!("{warning}"));
    }
    for part in parts {
        let Some(stopped) = part.process.stopped else {
            continue;
        };
        let why = why_it_stopped(stopped.reason);
        let after = stopped.monotonic_ns.saturating_sub(times.start_ns) as f64 / 1e9;
        remarks.push(match part.process.added_up {
            None => format!(
                "recording of process {} stopped after {after:.3} s: {why}; the process went on",
                part.process.pid
            ),
            Some(_) => format!(
                "recording of a process that has ended stopped after {after:.3} s: {why}; the process went on"
            ),
        });
    }
    remarks.extend(added_up(parts));
    remarks.extend(unlisted::remark(parts));
    remarks.extend(of_java(parts));
    remarks
}

/// Reports processes that have ended and whose figures are in one part for each program. One that became another program is in several.
fn added_up(parts: &[&Part]) -> Option<String> {
    let added_up = parts.iter().filter_map(|part| part.process.added_up);
    let sums = added_up.clone().count();
    let processes = added_up.reduce(u64::saturating_add)?;
    let at_most = if sums > 1 { "up to " } else { "" };
    Some(format!(
        "{at_most}{} added up by program: their threads are not listed, and the order of locks is known only for the first process of each program",
        counted(
            processes,
            "process that has ended is",
            "processes that have ended are"
        )
    ))
}

/// Reports a Java virtual machine, which implements Java's locks itself.
fn of_java(parts: &[&Part]) -> Option<String> {
    let mut modules = parts.iter().flat_map(|part| &part.modules);
    modules.find(|module| module.path.ends_with("libjvm.so"))?;
    Some(
        "this is a Java program: libjvm implements monitors (synchronized) and the locks of java.util.concurrent itself, and the recorder \
         does not see those. It sees the pthread locks and conditions of libjvm and of native libraries. `locktoll attach PID` sees \
         the threads that wait for any of them"
            .to_owned(),
    )
}

/// Describes why recording stopped before the program did.
pub fn why_it_stopped(reason: Option<StopReason>) -> &'static str {
    match reason {
        Some(StopReason::NoSpace) => "the disk is full or the quota is used up",
        Some(StopReason::FileSizeLimit) => "the process may not make files that long (ulimit -f)",
        Some(StopReason::NoMemory) => "there was no memory left to map",
        Some(StopReason::Unreachable) => {
            "its file could not be opened again, as happens when a program changes its user or its root folder, or when the file is removed"
        }
        Some(StopReason::Forbidden) => {
            "the process gave up system calls (seccomp), and those of locktoll might have ended it; known locks were still counted"
        }
        Some(StopReason::PartFull) => "the greatest length of a recording was reached",
        _ => "for a reason that this version does not know",
    }
}

//! The figures that cannot be known, listed once.

use locktoll_lab::watch::{Limits, Subject};

use super::page::Block;
use super::words::Line;
use locktoll_terminal::fold;
use locktoll_terminal::quantity::{count, counted};

/// Threads start and end between the two counts that are compared; fewer than this are not worth a sentence.
const HIDDEN_MATTER: u64 = 10;

/// Returns the notes, folded to the width.
pub fn lines(block: &Block, width: usize) -> Vec<Line> {
    let all = sentences(block.limits, block.subject).join(" ");
    fold::lines("", &all, width)
        .into_iter()
        .map(Line::faint)
        .collect()
}

fn sentences(limits: &Limits, subject: Subject) -> Vec<String> {
    let machine = subject == Subject::Machine;
    let mut notes = vec![
        "ready: time in which a thread was runnable and had no CPU; a stretch: mean time on a CPU at a time; CPU pressure: share \
         of the time in which some thread was runnable and had no CPU. Reasons for waiting come from samples of the threads that \
         wait most, so long waits are found more often than short ones. sched_yield counts as involuntary: distinguishing it \
         takes the tracepoint sched:sched_switch, which needs privileges."
            .to_owned(),
    ];
    if !limits.switches {
        notes.push("The machine's switches are unknown: /proc/stat is masked.".to_owned());
    }
    if machine && !limits.idle_switches {
        notes.push(
            "This kernel does not distinguish switches away from idle CPUs from those of threads that ended (/proc/schedstat)."
                .to_owned(),
        );
    }
    if !machine {
        notes.push("Threads that ended within an interval are not counted.".to_owned());
    }
    if machine {
        notes.push(
            "Each process's rates refer to the time between its own two readings; if reading takes long, a burst \
             may be counted for threads and not yet for the machine."
                .to_owned(),
        );
    }
    if let Some(hidden) = limits.threads_hidden.filter(|n| *n >= HIDDEN_MATTER) {
        notes.push(format!(
            "{} threads of this machine are not seen: in other containers, or hidden from this user.",
            count(hidden)
        ));
    }
    if limits.processes_unreadable > 0 {
        notes.push(format!(
            "{} may not be read by this user.",
            counted(limits.processes_unreadable, "process", "processes")
        ));
    }
    if !limits.run_times {
        notes.push("This kernel does not report the CPU times of threads (schedstat).".to_owned());
    }
    if limits.slice_ns.is_none() {
        notes.push(
            "This kernel does not report its time slice, so switches at the end of a slice are not counted separately."
                .to_owned(),
        );
    }
    if !limits.pressure {
        notes.push(
            "This kernel does not account for waiting for a CPU (/proc/pressure).".to_owned(),
        );
    }
    notes
}

//! What could not be found out, in plain sentences.

use super::summary::Seen;
use crate::perf::Refused;
use locktoll_terminal::quantity::{counted, duration};

/// Samples that are missing are mentioned if there are at least this many, and more than one in [`WORTH`]. The profile counts all.
const FEWEST: u64 = 50;
const WORTH: u64 = 100;

/// Returns the notes. A program without busy waiting gets no notes about details.
pub(super) fn about(seen: &Seen<'_>, any: bool) -> Vec<String> {
    let state = seen.state;
    let tally = &state.tally;
    let mut notes = Vec::new();
    let many = |count: u64| count >= FEWEST && count * WORTH > tally.samples;
    let samples = |count| counted(count, "sample", "samples");
    if many(state.lost) {
        notes.push(format!(
            "busy waiting: {} did not fit into the kernel's ring buffers; the intervals allow for them, and a lower rate (--spin HZ) loses fewer",
            counted(state.lost, "record", "records")
        ));
    }
    if let Some(whole) = seen.whole {
        let whole = duration(whole.as_nanos() as f64);
        notes.push(format!(
            "busy waiting: the program switches between threads so often that sampling for longer would have taken more than 1 % of its time, so only its beginning was sampled ({}, of {whole} of CPU time in the program's own code); the figures assume that the rest is like it, and the intervals allow for any other behaviour",
            samples(tally.samples)
        ));
    }
    if many(tally.too_late) {
        notes.push(format!(
            "busy waiting: {} came from processes that ended before their code was read; the intervals allow for them",
            samples(tally.too_late)
        ));
    }
    if many(tally.foreign) {
        notes.push(format!(
            "busy waiting: {} came from 32-bit code, which is not examined; the intervals allow for them",
            samples(tally.foreign)
        ));
    }
    if many(tally.unreadable) {
        notes.push(format!(
            "busy waiting: {} lay in code that is no longer mapped or cannot be decoded; the intervals allow for them",
            samples(tally.unreadable)
        ));
    }
    if many(tally.over_budget) {
        notes.push(format!(
            "busy waiting: {} were not examined, because examining takes at most 0.25 % of a CPU; the intervals allow for them",
            samples(tally.over_budget)
        ));
    }
    if !any {
        return notes;
    }
    if many(tally.too_large) {
        notes.push(format!(
            "busy waiting: {} lay in loops that are too large to be examined; the intervals allow for them",
            samples(tally.too_large)
        ));
    }
    if state.changed > 0 {
        notes.push(format!(
            "busy waiting: the code of {} changed in the meantime and was examined again",
            counted(state.changed as u64, "waiting loop", "waiting loops")
        ));
    }
    if !seen.with_kernel {
        notes.push(
            "busy waiting: the kernel lets this user sample only the program's own code, so time in system calls such as sched_yield is missing; `locktoll doctor record` names the command that allows more"
                .to_owned(),
        );
    }
    if let Some(why) = seen.watch_refused {
        let why = match why {
            Refused::NotPermitted => "the kernel does not permit watchpoints",
            Refused::InUse => "all watchpoints of the processor are in use",
            Refused::NotThere => "this system has no watchpoints",
            Refused::Gone | Refused::Other(_) => "the kernel refused watchpoints",
        };
        notes.push(format!(
            "busy waiting: the threads that write the words are not known: {why}"
        ));
    }
    notes
}

//! The cost and the losses of the recorder, and notes that the reader needs to know.

use locktoll_terminal::fold;
use std::fmt;

use crate::profile::preempted;
use crate::profile::words::cut_right;
use locktoll_results::profile::{Dropped, Profile, RecorderMode, Source};
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::quantity::{count, price};

/// Nobody reads a sentence longer than this.
const LONGEST: usize = 600;

/// What the profile of a running program contains, and what it does not.
const SEEN: &str = "waits that entered the kernel are seen; acquisitions without a wait, spinning for a lock and hold times are not";

/// Writes the recorder's cost and losses, then the notes.
pub fn write(page: &mut String, profile: &Profile, width: usize) -> fmt::Result {
    match profile.source {
        Source::Record => fold::write(page, "Recorder: ", &recorder(profile), width)?,
        Source::Attach => fold::write(page, "Kernel: ", &kernel(profile), width)?,
    }
    if let Some(text) = profile.preemption.as_ref().and_then(preempted::of_all) {
        fold::write(page, "Preemption: ", &text, width)?;
    }
    for warning in &profile.warnings {
        let note = cut_right(&shown_text(warning), LONGEST);
        fold::write(page, "note: ", &note, width)?;
    }
    Ok(())
}

fn recorder(profile: &Profile) -> String {
    let recorder = &profile.recorder;
    let holds = match recorder.mode {
        Some(RecorderMode::Sampled) => "timed every wait and a sample of the holds",
        Some(RecorderMode::Exact) => "timed every wait and every hold",
        None => "timed every wait and no hold",
    };
    let added = match recorder.ns_per_pair {
        None => "its cost per acquisition and release was not measured".to_owned(),
        Some(..0.005) => "added too little to measure per acquisition and release".to_owned(),
        Some(ns) => format!("added {} per acquisition and release", price(ns)),
    };
    // Three digits of a share that should be small: `share` of quantities would show 0.54 % as 0.5 %.
    let cpu = match recorder.share_of_cpu {
        None | Some(..=0.0) => String::new(),
        Some(..0.000_05) => ", <0.01 % of the CPU time".to_owned(),
        Some(share) => format!(", {:.2} % of the CPU time", share * 100.0),
    };
    let lost = losses(&profile.dropped);
    let lost = match lost.is_empty() {
        true => "nothing was lost".to_owned(),
        false => format!("not recorded: {}", lost.join(", ")),
    };
    format!("{holds}; {added}{cpu}; {lost}")
}

/// Says what the programs in the kernel missed.
fn kernel(profile: &Profile) -> String {
    match losses(&profile.dropped).join(", ") {
        lost if lost.is_empty() => {
            format!("{SEEN}; every wait that ended is counted, and nothing was lost")
        }
        lost => format!("{SEEN}; no room for {lost} (raise --max-entries)"),
    }
}

fn losses(dropped: &Dropped) -> Vec<String> {
    let all: [(u64, &str, &str); 8] = [
        (
            dropped.after_stop,
            "acquisition after recording had stopped",
            "acquisitions after recording had stopped",
        ),
        (
            dropped.sites,
            "acquisition without a call site (counted under its lock)",
            "acquisitions without a call site (counted under their lock)",
        ),
        (
            dropped.threads,
            "thread without a record of its life",
            "threads without a record of their life",
        ),
        (
            dropped.stacks,
            "stack (its waits are counted under their call site)",
            "stacks (their waits are counted under their call site)",
        ),
        (
            dropped.modules,
            "mapped file without names",
            "mapped files without names",
        ),
        (
            dropped.damaged,
            "damaged piece of the recording",
            "damaged pieces of the recording",
        ),
        (dropped.waits, "wait", "waits"),
        (dropped.wakes, "call that wakes", "calls that wake"),
    ];
    all.iter()
        .filter(|(number, ..)| *number > 0)
        .map(|(number, one, many)| {
            let what = if *number == 1 { one } else { many };
            format!("{} {what}", count(*number))
        })
        .collect()
}

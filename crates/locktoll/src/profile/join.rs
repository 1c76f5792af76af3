//! Joins the parts of a recording into one profile.

use locktoll_recording::layout::DropReason;
use locktoll_recording::reader::{Part, Recording};

use super::rows::Rows;
use super::symbols::Symbols;
use super::times::Times;
use super::{
    Dropped, Process, Profile, Recorder, RecorderMode, SCHEMA, ThreadTime, modules, remarks,
};

/// The profile that a recording holds.
pub fn profile(recording: &Recording) -> Profile {
    let mut parts: Vec<&Part> = recording.parts.iter().collect();
    parts.sort_by_key(|part| (part.process.start_monotonic_ns, part.process.sequence));
    let times = Times::of(&parts);

    let mut symbols = Symbols::new();
    let mut rows = Rows::default();
    for part in &parts {
        rows.add(part, &mut symbols);
    }
    let locks = rows.into_locks();

    let mut warnings = remarks::about(recording, &parts, &times, &locks);
    warnings.extend(symbols.into_warnings());
    Profile {
        schema: SCHEMA.to_owned(),
        command: parts.first().map(|part| command(part)).unwrap_or_default(),
        duration_ns: times.duration_ns,
        user_ns: None,
        system_ns: None,
        voluntary_switches: None,
        involuntary_switches: None,
        threads: parts.iter().map(|part| part.threads.len() as u64).sum(),
        thread_time_ns: times.thread_time_ns,
        wait_ns: locks
            .iter()
            .fold(0, |sum: u64, lock| sum.saturating_add(lock.wait_ns.total)),
        signal_wait_ns: 0,
        time: ThreadTime::default(),
        per_thread: Vec::new(),
        processes: parts.iter().map(|part| process(part, &times)).collect(),
        modules: modules::modules(&parts),
        recorder: Recorder {
            mode: RecorderMode::Sampled,
            ns_per_pair: None,
            share_of_cpu: None,
        },
        dropped: dropped(recording),
        warnings,
        locks,
    }
}

fn process(part: &Part, times: &Times) -> Process {
    let process = &part.process;
    Process {
        pid: process.pid,
        parent_pid: process.parent_pid,
        command: command(part),
        threads: part.threads.len() as u64,
        start_ns: process.start_monotonic_ns.saturating_sub(times.start_ns),
        duration_ns: process
            .end_monotonic_ns
            .map(|end| end.saturating_sub(process.start_monotonic_ns)),
        user_ns: None,
        system_ns: None,
        voluntary_switches: None,
        involuntary_switches: None,
    }
}

fn command(part: &Part) -> Vec<String> {
    let arguments = part.process.command.arguments.iter();
    arguments
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect()
}

fn dropped(recording: &Recording) -> Dropped {
    let sum = |reason| {
        let parts = recording.parts.iter();
        parts.fold(0, |sum: u64, part| {
            sum.saturating_add(part.dropped.count(reason))
        })
    };
    Dropped {
        after_stop: sum(DropReason::Stopped),
        sites: sum(DropReason::SiteTableFull),
        threads: sum(DropReason::ThreadUnwritten),
        stacks: sum(DropReason::StackTableFull),
        modules: sum(DropReason::ModuleTableFull),
        damaged: recording.warnings.len() as u64,
    }
}

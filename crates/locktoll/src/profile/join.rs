//! Joins the parts of a recording into one profile.

use locktoll_recording::layout::{DropReason, Mode};
use locktoll_recording::reader::{Part, Recording, Usage};

use super::finish::Tables;
use super::instances::{Crowds, Instances};
use super::life::{self, ThreadWaits};
use super::part_names::PartSites;
use super::rows::{PartView, Rows};
use super::symbols::Symbols;
use super::times::Times;
use super::{
    Dropped, Lock, Process, Profile, Recorder, RecorderMode, SCHEMA, Source, modules, preempted,
    remarks,
};

/// The profile that a recording holds.
pub fn profile(recording: &Recording) -> Profile {
    profile_with(recording, &mut Symbols::new())
}

/// As [`profile`], with names that were looked up before: for a recording that is read again and again while it grows.
pub fn profile_with(recording: &Recording, symbols: &mut Symbols) -> Profile {
    let mut parts: Vec<&Part> = recording.parts.iter().collect();
    parts.sort_by_key(|part| (part.process.start_monotonic_ns, part.process.sequence));
    let times = Times::of(&parts);

    let mut tables = Tables::default();
    let unknown = tables.sites.unknown();
    let mut crowds = Crowds::default();
    // What shares a row depends on all parts, so their locks are found before any is added up.
    let mut views: Vec<PartView<'_>> = Vec::new();
    for (position, part) in parts.iter().enumerate() {
        let sites = PartSites::new(part, symbols, &mut tables.sites);
        let births = tables.births.of_part(part, &sites.ids, &tables.sites);
        let instances = Instances::of(part, &births, &mut tables.statics, symbols);
        crowds.add(&instances);
        views.push(PartView {
            part,
            position,
            end_ns: recorded_until(part, times.part_end_ns[position]),
            stacks: tables.stacks.of_part(part, &sites.ids),
            sites,
            instances,
            unknown,
        });
    }
    let mut rows = Rows::default();
    for view in &views {
        rows.add(view, &crowds);
    }
    let ns_per_pair = ns_per_pair(&parts);
    let uses = tables.uses(&rows);
    let waits = ThreadWaits::of(&rows, &uses);
    let per_thread = life::threads(&views, &times, &waits, &tables.sites);
    let locks = tables.into_locks(rows, &uses, ns_per_pair);

    let mut warnings = remarks::about(recording, &parts, &times);
    warnings.extend_from_slice(symbols.warnings());
    let usage = total_usage(&parts);
    let sum = |ns: fn(&Lock) -> u64| locks.iter().map(ns).fold(0, u64::saturating_add);
    Profile {
        schema: SCHEMA.to_owned(),
        source: Source::Record,
        command: parts.first().map(|part| command(part)).unwrap_or_default(),
        duration_ns: times.duration_ns,
        user_ns: usage.map(|usage| usage.user_ns),
        system_ns: usage.map(|usage| usage.system_ns),
        voluntary_switches: usage.map(|usage| usage.voluntary_switches),
        involuntary_switches: usage.map(|usage| usage.involuntary_switches),
        threads: parts.iter().map(|part| part.threads.len() as u64).sum(),
        thread_time_ns: times.thread_time_ns,
        wait_ns: sum(|lock| lock.wait_ns.total),
        signal_wait_ns: sum(|lock| lock.signal.as_ref().map_or(0, |it| it.wait_ns.total)),
        time: life::time(&per_thread, &locks),
        per_thread,
        processes: parts.iter().map(|part| process(part, &times)).collect(),
        modules: modules::modules(&parts),
        recorder: Recorder {
            mode: Some(mode(&parts)),
            ns_per_pair,
            share_of_cpu: share_of_cpu(&parts, ns_per_pair),
        },
        preemption: preempted::total(&parts, &locks),
        dropped: dropped(recording),
        warnings,
        locks,
    }
}

/// When nothing more was recorded: at the end of the process, or when recording stopped before it.
fn recorded_until(part: &Part, end_ns: u64) -> u64 {
    let stopped = part.process.stopped;
    stopped.map_or(end_ns, |stopped| stopped.monotonic_ns.min(end_ns))
}

fn process(part: &Part, times: &Times) -> Process {
    let process = &part.process;
    let usage = process.usage;
    Process {
        pid: process.pid,
        parent_pid: process.parent_pid,
        command: command(part),
        threads: part.threads.len() as u64,
        start_ns: process.start_monotonic_ns.saturating_sub(times.start_ns),
        duration_ns: process
            .end_monotonic_ns
            .map(|end| end.saturating_sub(process.start_monotonic_ns)),
        user_ns: usage.map(|usage| usage.user_ns),
        system_ns: usage.map(|usage| usage.system_ns),
        voluntary_switches: usage.map(|usage| usage.voluntary_switches),
        involuntary_switches: usage.map(|usage| usage.involuntary_switches),
    }
}

fn command(part: &Part) -> Vec<String> {
    let arguments = part.process.command.arguments.iter();
    arguments
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect()
}

/// Of all processes that told; `None` if none did.
fn total_usage(parts: &[&Part]) -> Option<Usage> {
    let told = parts.iter().filter_map(|part| part.process.usage);
    told.reduce(|sum, usage| Usage {
        user_ns: sum.user_ns.saturating_add(usage.user_ns),
        system_ns: sum.system_ns.saturating_add(usage.system_ns),
        voluntary_switches: sum
            .voluntary_switches
            .saturating_add(usage.voluntary_switches),
        involuntary_switches: sum
            .involuntary_switches
            .saturating_add(usage.involuntary_switches),
    })
}

/// Exact only if every process was recorded so.
fn mode(parts: &[&Part]) -> RecorderMode {
    let exact = |part: &&Part| part.process.mode == Some(Mode::Exact);
    if !parts.is_empty() && parts.iter().all(exact) {
        RecorderMode::Exact
    } else {
        RecorderMode::Sampled
    }
}

/// All parts of a recording were measured together, so the first that says it speaks for all.
fn ns_per_pair(parts: &[&Part]) -> Option<f64> {
    let added = parts.iter().find_map(|part| part.process.added_ps_per_pair);
    added.map(|picoseconds| picoseconds as f64 / 1000.0)
}

/// The processor time that recording added, in that of the processes that told theirs.
fn share_of_cpu(parts: &[&Part], ns_per_pair: Option<f64>) -> Option<f64> {
    let ns_per_pair = ns_per_pair?;
    let (mut pairs, mut cpu_ns) = (0_u64, 0_u64);
    for part in parts {
        let Some(usage) = part.process.usage else {
            continue;
        };
        let cpu = usage.user_ns.saturating_add(usage.system_ns);
        cpu_ns = cpu_ns.saturating_add(cpu);
        let counts = part.counts.iter();
        pairs = counts.fold(pairs, |sum, count| sum.saturating_add(count.acquisitions));
    }
    (cpu_ns > 0).then(|| (pairs as f64 * ns_per_pair / cpu_ns as f64).min(1.0))
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
        waits: 0,
        wakes: 0,
    }
}

//! The profile around the rows.

use std::collections::{BTreeMap, HashMap};
use std::time::Instant;

use super::calls::Stacks;
use super::finish;
use super::identity::Statics;
use super::names::Names;
use super::rows::Rows;
use super::{remarks, threads};
use crate::attach::gathered::Gathered;
use crate::attach::process::{Lives, Memory, Subject};
use crate::profile::{
    Dropped, HolderPreemption, Lock, Module, PreemptionDropped, PreemptionSource, PreemptionTotal,
    Process, Profile, Recorder, SCHEMA, Source,
};

/// All that was seen of a process while it was watched.
pub struct Seen<'a> {
    /// The process.
    pub subject: &'a Subject,
    /// Its memory.
    pub memory: &'a Memory,
    /// Its threads.
    pub lives: &'a Lives,
    /// Its futex calls.
    pub gathered: &'a Gathered,
    /// How long it was watched, nanoseconds.
    pub duration_ns: u64,
}

/// The profile of what was seen. Names are looked up until `deadline`.
pub fn profile(seen: &Seen<'_>, deadline: Instant) -> Profile {
    profile_with(seen, &mut Names::default(), deadline)
}

/// As [`profile`], with names that were looked up before: for a process that is looked at again and again. What it found is kept there.
pub fn profile_with(seen: &Seen<'_>, names: &mut Names, deadline: Instant) -> Profile {
    let Seen {
        subject,
        memory,
        gathered,
        ..
    } = seen;
    let mut addresses = addresses(gathered);
    addresses.retain(|&address| !names.knows(address));
    names.add(Names::look_up(subject, memory, &addresses, deadline));
    let stacks = Stacks::of(&gathered.stacks, names);
    let mut statics = Statics::of(memory);
    let rows = Rows::of(gathered, &stacks, &mut statics, seen.duration_ns);
    let rows_waiting = rows.waiting();
    let locks = finish::locks(rows, &stacks, &statics, seen.lives);
    let sum = |ns: fn(&Lock) -> u64| locks.iter().map(ns).fold(0, u64::saturating_add);
    let per_thread = threads::threads(seen, &rows_waiting);
    let preemption = preemption(&locks, per_thread.len() as u64, gathered);
    let mut warnings = remarks::about(seen);
    warnings.extend_from_slice(&names.warnings);
    let usage = seen.lives.usage_ns();
    Profile {
        schema: SCHEMA.to_owned(),
        source: Source::Attach,
        command: subject.command.clone(),
        duration_ns: seen.duration_ns,
        user_ns: usage.map(|(user_ns, _)| user_ns),
        system_ns: usage.map(|(_, system_ns)| system_ns),
        voluntary_switches: total(per_thread.iter().map(|it| it.voluntary_switches)),
        involuntary_switches: total(per_thread.iter().map(|it| it.involuntary_switches)),
        threads: per_thread.len() as u64,
        thread_time_ns: per_thread.iter().map(|it| it.duration_ns).sum(),
        wait_ns: sum(|lock| lock.wait_ns.total),
        signal_wait_ns: sum(|lock| lock.signal.as_ref().map_or(0, |it| it.wait_ns.total)),
        time: threads::time(&per_thread, &locks),
        processes: vec![process(seen, per_thread.len() as u64)],
        per_thread,
        modules: modules(memory),
        recorder: Recorder {
            mode: None,
            ns_per_pair: None,
            share_of_cpu: None,
        },
        preemption,
        dropped: Dropped {
            threads: gathered.dropped.threads,
            waits: gathered.dropped.waits,
            wakes: gathered.dropped.wakes,
            stacks: gathered.dropped.stacks,
            ..Dropped::default()
        },
        warnings,
        locks,
    }
}

/// Holder preemption of all locks that name their owners; `None` if none does.
fn preemption(locks: &[Lock], threads: u64, gathered: &Gathered) -> Option<PreemptionTotal> {
    let known = || locks.iter().filter_map(|lock| lock.preemption.as_ref());
    known().next()?;
    let sum = |of: fn(&HolderPreemption) -> u64| known().map(of).fold(0, u64::saturating_add);
    let waited_ns = locks.iter().map(|lock| lock.wait_ns.total);
    let waited_ns = waited_ns.fold(0, u64::saturating_add);
    let meanwhile_ns = sum(|it| it.waited_meanwhile_ns.unwrap_or(0));
    Some(PreemptionTotal {
        source: PreemptionSource::SchedSwitch,
        count: sum(|it| it.count),
        total_ns: sum(|it| it.total_ns),
        waited_meanwhile_ns: Some(meanwhile_ns),
        share_of_wait: (waited_ns > 0).then(|| meanwhile_ns as f64 / waited_ns as f64),
        threads: Some(threads),
        dropped: Some(PreemptionDropped {
            unkept: gathered.dropped.preemptions,
            ..PreemptionDropped::default()
        }),
    })
}

/// The sum, if all are known.
fn total(figures: impl Iterator<Item = Option<u64>>) -> Option<u64> {
    figures.sum()
}

fn process(seen: &Seen<'_>, threads: u64) -> Process {
    let usage = seen.lives.usage_ns();
    Process {
        pid: seen.subject.pid,
        parent_pid: seen.subject.parent_pid,
        command: seen.subject.command.clone(),
        threads,
        start_ns: 0,
        duration_ns: Some(seen.duration_ns),
        user_ns: usage.map(|(user_ns, _)| user_ns),
        system_ns: usage.map(|(_, system_ns)| system_ns),
        voluntary_switches: None,
        involuntary_switches: None,
    }
}

fn modules(memory: &Memory) -> Vec<Module> {
    let mut modules: BTreeMap<String, Option<String>> = BTreeMap::new();
    for file in memory.files() {
        let build_id = file.loads.as_ref().map(|loads| hex(&loads.build_id));
        let build_id = build_id.filter(|id| !id.is_empty());
        modules.insert(file.path.to_string_lossy().into_owned(), build_id);
    }
    let modules = modules.into_iter();
    modules
        .map(|(path, build_id)| Module { path, build_id })
        .collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// All addresses of stacks, those that most was waited at first.
fn addresses(gathered: &Gathered) -> Vec<u64> {
    let mut by_stack: HashMap<u32, u64> = HashMap::new();
    for wait in &gathered.waits {
        for stack in [wait.stack, wait.waker_stack] {
            let cost = by_stack.entry(stack).or_default();
            *cost = cost.saturating_add(wait.total_ns);
        }
    }
    let mut by_address: HashMap<u64, u64> = HashMap::new();
    for (number, addresses) in &gathered.stacks {
        let cost = by_stack.get(number).copied().unwrap_or(0);
        for &address in addresses {
            let sum = by_address.entry(address).or_default();
            *sum = sum.saturating_add(cost);
        }
    }
    let mut addresses: Vec<(u64, u64)> = by_address.into_iter().collect();
    addresses.sort_by_key(|&(address, cost)| (std::cmp::Reverse(cost), address));
    addresses.into_iter().map(|(address, _)| address).collect()
}

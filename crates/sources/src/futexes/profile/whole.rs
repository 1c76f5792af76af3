//! From the collected data to the profile.

use std::collections::HashMap;
use std::time::Instant;

use super::calls::Stacks;
use super::facts;
use super::identity::Statics;
use super::names::{Address, Names};
use super::rows::Rows;
use super::{remarks, threads};
use crate::futexes::gathered::Gathered;
use crate::futexes::process::{Observed, Processes};
use crate::joiner::{self, Facts, Program, Usage, Watched};
use locktoll_results::profile::{
    Dropped, PreemptionDropped, Process, Profile, Recorder, Source, Use,
};

/// Everything that was seen of processes while they were watched.
pub struct Seen<'a> {
    /// The processes.
    pub processes: &'a Processes,
    /// Their futex calls.
    pub gathered: &'a Gathered,
    /// How long they were watched, nanoseconds.
    pub duration_ns: u64,
}

/// Returns the profile of what was seen. Names are looked up until `deadline`.
pub fn profile(seen: &Seen<'_>, deadline: Instant) -> Profile {
    profile_with(seen, &mut Names::default(), deadline)
}

/// Like [`profile`], with names from earlier look-ups, for processes that are looked at again and again. New names are added to
/// `names`.
pub fn profile_with(seen: &Seen<'_>, names: &mut Names, deadline: Instant) -> Profile {
    let Seen {
        processes,
        gathered,
        ..
    } = seen;
    names.look_up(processes, &addresses(gathered), deadline);
    let stacks = Stacks::of(gathered, names);
    let mut statics = Statics::of(processes);
    let rows = Rows::of(gathered, &stacks, &mut statics, seen.duration_ns);
    let threads = threads::threads(seen, &rows.waiting());
    let facts = facts::facts(rows, &stacks, &statics, processes);
    let mut warnings = remarks::about(seen);
    warnings.extend_from_slice(&names.warnings);
    let files = processes.files().all().iter();
    let files = files.map(|file| {
        let build_id = file.loads.as_ref().map_or(&[][..], |it| &it.build_id);
        (file.path.as_path(), build_id)
    });
    let results: Vec<Process> = processes
        .all()
        .map(|(_, observed)| process(observed, seen.duration_ns))
        .collect();
    let program = Program {
        source: Source::Attach,
        // The caller, which shows the profile, adds where and when it was made.
        made: None,
        // The command of the first process.
        command: processes
            .all()
            .next()
            .map(|(_, it)| it.subject.command.clone())
            .unwrap_or_default(),
        duration_ns: seen.duration_ns,
        usage: Usage {
            user_ns: total(results.iter().map(|it| it.user_ns)),
            system_ns: total(results.iter().map(|it| it.system_ns)),
            voluntary_switches: total(threads.iter().map(|it| it.voluntary_switches)),
            involuntary_switches: total(threads.iter().map(|it| it.involuntary_switches)),
        },
        processes: results,
        modules: joiner::modules(files),
        recorder: Recorder {
            mode: None,
            ns_per_pair: None,
            share_of_cpu: None,
        },
        watched: watched(&facts, threads.len() as u64, gathered),
        threads,
        dropped: Dropped {
            threads: gathered.dropped.threads,
            waits: gathered.dropped.waits,
            wakes: gathered.dropped.wakes,
            stacks: gathered.dropped.stacks,
            ..Dropped::default()
        },
        warnings,
    };
    joiner::profile(program, facts)
}

/// Preemption is known for holders of those locks that name their owner; `None` if there is no such lock.
fn watched(facts: &[Facts], threads: u64, gathered: &Gathered) -> Option<Watched> {
    let named = |it: &Facts| it.used_as == Use::Lock && it.preemption.is_some();
    facts.iter().any(named).then(|| Watched {
        threads,
        dropped: PreemptionDropped {
            unkept: gathered.dropped.preemptions,
            ..PreemptionDropped::default()
        },
        // A preemption is charged when the wait ends.
        waited_ns: |lock| lock.wait_ns.total,
    })
}

/// Returns the sum, if all figures are known.
fn total(figures: impl Iterator<Item = Option<u64>>) -> Option<u64> {
    figures.sum()
}

fn process(observed: &Observed, duration_ns: u64) -> Process {
    let usage = observed.lives.usage_ns();
    let end_ns = observed.end_ns.unwrap_or(duration_ns);
    Process {
        pid: observed.subject.pid,
        parent_pid: observed.subject.parent_pid,
        command: observed.subject.command.clone(),
        threads: observed.lives.threads().count() as u64,
        start_ns: observed.start_ns,
        duration_ns: Some(end_ns.saturating_sub(observed.start_ns)),
        user_ns: usage.map(|(user_ns, _)| user_ns),
        system_ns: usage.map(|(_, system_ns)| system_ns),
        voluntary_switches: None,
        involuntary_switches: None,
    }
}

/// Returns all addresses of stacks, starting with the stacks that waited most.
fn addresses(gathered: &Gathered) -> Vec<Address> {
    let mut by_stack: HashMap<u32, u64> = HashMap::new();
    for wait in &gathered.waits {
        for stack in [wait.stack, wait.waker_stack] {
            let cost = by_stack.entry(stack).or_default();
            *cost = cost.saturating_add(wait.total_ns);
        }
    }
    for waiting in &gathered.waiting {
        let cost = by_stack.entry(waiting.stack).or_default();
        *cost = cost.saturating_add(waiting.wait_ns.unwrap_or(0));
    }
    let mut by_address: HashMap<Address, u64> = HashMap::new();
    for (number, addresses) in &gathered.stacks {
        let cost = by_stack.get(number).copied().unwrap_or(0);
        let process = gathered.stack_process.get(number).copied();
        for &address in addresses {
            let address = (process.unwrap_or_default(), address);
            let sum = by_address.entry(address).or_default();
            *sum = sum.saturating_add(cost);
        }
    }
    let mut addresses: Vec<(Address, u64)> = by_address.into_iter().collect();
    addresses.sort_by_key(|&(address, cost)| (std::cmp::Reverse(cost), address));
    addresses.into_iter().map(|(address, _)| address).collect()
}

//! From what was seen to the profile.

use std::collections::HashMap;
use std::time::Instant;

use super::calls::Stacks;
use super::facts;
use super::identity::Statics;
use super::names::Names;
use super::rows::Rows;
use super::{remarks, threads};
use crate::futexes::gathered::Gathered;
use crate::futexes::process::{Lives, Memory, Subject};
use crate::joiner::{self, Facts, Program, Usage, Watched};
use locktoll_results::profile::{
    Dropped, PreemptionDropped, Process, Profile, Recorder, Source, Use,
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
    let threads = threads::threads(seen, &rows.waiting());
    let facts = facts::facts(rows, &stacks, &statics, seen.lives);
    let mut warnings = remarks::about(seen);
    warnings.extend_from_slice(&names.warnings);
    let usage = seen.lives.usage_ns();
    let files = memory.files().iter();
    let files = files.map(|file| {
        let build_id = file.loads.as_ref().map_or(&[][..], |it| &it.build_id);
        (file.path.as_path(), build_id)
    });
    let program = Program {
        source: Source::Attach,
        command: subject.command.clone(),
        duration_ns: seen.duration_ns,
        usage: Usage {
            user_ns: usage.map(|(user_ns, _)| user_ns),
            system_ns: usage.map(|(_, system_ns)| system_ns),
            voluntary_switches: total(threads.iter().map(|it| it.voluntary_switches)),
            involuntary_switches: total(threads.iter().map(|it| it.involuntary_switches)),
        },
        processes: vec![process(seen, threads.len() as u64)],
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

/// Holders are watched of locks that name their owner; `None` if there is no such lock.
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

/// All addresses of stacks, those that most was waited at first.
fn addresses(gathered: &Gathered) -> Vec<u64> {
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

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
        unlisted_ns: Some(0),
        processes: results,
        modules: joiner::modules(files),
        recorder: Recorder {
            mode: None,
            ns_per_pair: None,
            share_of_cpu: None,
        },
        order: None,
        alerts: Vec::new(),
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
        added_up: None,
        unlisted_threads: 0,
        unlisted_ns: None,
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use locktoll_results::profile::{Lock, Thread};

    use super::*;
    use crate::futexes::gathered::{self, Wait, Waiting};
    use crate::futexes::process::Subject;

    /// The number of this very process, which is the one that was watched.
    const OWN: u32 = 7;
    /// A word that is in no program's data.
    const WORD: u64 = 0x10;
    const DURATION_NS: u64 = 5_000;

    /// Asks for a lock, as far as its address goes.
    fn asks_for_a_lock() -> u32 {
        std::hint::black_box(4_711)
    }

    /// Waits of this thread in [`asks_for_a_lock`] and at an address without code, and a wait of its that goes on.
    fn gathered() -> Gathered {
        let asks = asks_for_a_lock as fn() -> u32 as usize as u64 + 2;
        let thread = rustix::thread::gettid().as_raw_pid() as u32;
        let wait = |stack, total_ns| Wait {
            process: OWN,
            word: WORD,
            stack,
            woken: 1,
            total_ns,
            max_ns: total_ns,
            ..Wait::default()
        };
        Gathered {
            waits: vec![wait(1, 900), wait(2, 100)],
            waiting: vec![Waiting {
                process: OWN,
                thread,
                word: WORD,
                value: 2,
                wait_ns: Some(50),
                stack: 1,
                ..Waiting::default()
            }],
            threads: vec![gathered::Thread {
                process: OWN,
                thread,
                wait_ns: 1_000,
                yielded: u64::MAX,
                ..gathered::Thread::default()
            }],
            stacks: HashMap::from([(1, vec![asks]), (2, vec![0x21, asks])]),
            stack_process: HashMap::from([(1, OWN), (2, OWN)]),
            dropped: gathered::Dropped {
                threads: 1,
                waits: 2,
                wakes: 3,
                stacks: 4,
                ..gathered::Dropped::default()
            },
            ..Gathered::default()
        }
    }

    fn of(gathered: &Gathered) -> Profile {
        let own = Subject::of(std::process::id()).unwrap();
        let mut processes = Processes::begin([(OWN, own)]);
        asks_for_a_lock();
        processes.end();
        let seen = Seen {
            processes: &processes,
            gathered,
            duration_ns: DURATION_NS,
        };
        profile(&seen, Instant::now() + Duration::from_secs(300))
    }

    #[test]
    fn a_profile_has_what_its_process_and_threads_used() {
        let gathered = gathered();
        let profile = of(&gathered);
        assert_eq!(profile.duration_ns, DURATION_NS);
        let [process] = &profile.processes[..] else {
            panic!("{:?}", profile.processes);
        };
        assert_eq!(process.pid, std::process::id());
        assert_eq!(process.command, profile.command);
        assert_eq!(process.threads, profile.per_thread.len() as u64);
        assert_eq!(process.duration_ns, Some(DURATION_NS));
        assert!(process.user_ns.is_some() && profile.user_ns == process.user_ns);
        assert!(process.system_ns.is_some() && profile.system_ns == process.system_ns);
        let sum = |of: fn(&Thread) -> Option<u64>| profile.per_thread.iter().map(of).sum();
        let voluntary: Option<u64> = sum(|it| it.voluntary_switches);
        let involuntary: Option<u64> = sum(|it| it.involuntary_switches);
        assert_eq!(profile.voluntary_switches, voluntary);
        assert_eq!(profile.involuntary_switches, involuntary);

        let own = gathered.threads[0].thread;
        let own = profile.per_thread.iter().find(|it| it.tid == own).unwrap();
        assert_eq!(own.futex_wait_ns, Some(1_000));
        let still = (own.lock_still_waiting_ns, own.signal_still_waiting_ns);
        assert_eq!(still, (50, 0));
        // No more yields than switches.
        assert_eq!(own.yields, own.involuntary_switches);
        let others = profile.per_thread.iter().filter(|it| it.tid != own.tid);
        for other in others {
            let still = other.lock_still_waiting_ns;
            assert_eq!((other.futex_wait_ns, still), (Some(0), 0));
        }
        let dropped = &profile.dropped;
        assert_eq!((dropped.threads, dropped.waits), (1, 2));
        assert_eq!((dropped.wakes, dropped.stacks), (3, 4));
    }

    #[test]
    fn its_locks_have_places_with_names_and_without() {
        let profile = of(&gathered());
        let [lock] = &profile.locks[..] else {
            panic!("{:#?}", profile.locks);
        };
        assert_eq!((lock.contended, lock.wait_ns.total), (2, 1_000));
        assert_eq!((lock.still_waiting, lock.still_waiting_ns), (1, 50));
        let frames = |lock: &Lock, waits_ns| {
            let mut stacks = lock.stacks.iter();
            stacks
                .find(|it| it.wait_ns == waits_ns)
                .unwrap()
                .frames
                .clone()
        };
        let named = &frames(lock, 900)[0];
        let function = named.function.as_deref().unwrap();
        assert!(function.contains("asks_for_a_lock"), "{named:?}");
        assert!(named.file.as_ref().unwrap().ends_with("whole.rs"));
        let own = std::env::current_exe().unwrap();
        assert_eq!(named.module.as_deref(), own.to_str());
        assert!(named.offset.is_some());
        let nameless = &frames(lock, 100)[0];
        assert_eq!((nameless.offset, &nameless.module), (Some(0x20), &None));
    }

    #[test]
    fn a_place_in_the_kernels_page_of_code_has_its_name() {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let Some(line) = maps.lines().find(|line| line.ends_with("[vdso]")) else {
            return;
        };
        let start = line.split('-').next().unwrap();
        let start = u64::from_str_radix(start, 16).unwrap();
        let mut gathered = gathered();
        // The first bytes are a header, in which no function lies.
        gathered.stacks.insert(2, vec![start + 0x11]);
        let profile = of(&gathered);
        let mut stacks = profile.locks[0].stacks.iter();
        let stack = stacks.find(|it| it.wait_ns == 100).unwrap();
        let frame = &stack.frames[0];
        assert_eq!(frame.module.as_deref(), Some("[vdso]"));
        assert_eq!((frame.offset, &frame.function), (Some(0x10), &None));
    }

    #[test]
    fn addresses_come_in_the_order_of_their_waiting() {
        let mut gathered = gathered();
        gathered.stacks = HashMap::from([
            (1, vec![0x30, 0x10]),
            (2, vec![0x20, 0x10]),
            (3, vec![0x40]),
        ]);
        gathered.stack_process.insert(3, OWN);
        assert_eq!(
            addresses(&gathered),
            [(OWN, 0x10), (OWN, 0x30), (OWN, 0x20), (OWN, 0x40)]
        );
        // A wait costs the place that ended it as much as the one that waited.
        gathered.waits[1].waker_stack = 3;
        gathered.waits[1].total_ns = 2_000;
        assert_eq!(
            addresses(&gathered),
            [(OWN, 0x10), (OWN, 0x20), (OWN, 0x40), (OWN, 0x30)]
        );
    }
}

//! The profile around the locks.

use std::cmp::Reverse;

use super::facts::Facts;
use super::lock::locks;
use super::preemption::{self, Watched};
use super::time;
use locktoll_results::Made;
use locktoll_results::profile::{
    Alert, Dropped, Lock, LockOrder, Module, Process, Profile, Recorder, SCHEMA, Source, Thread,
};

/// What a source knows of the whole program.
pub struct Program {
    /// The source.
    pub source: Source,
    /// When, where and by which version of locktoll it was observed.
    pub made: Option<Made>,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// How long it was observed, nanoseconds.
    pub duration_ns: u64,
    /// The resources that it used.
    pub usage: Usage,
    /// Every thread.
    pub threads: Vec<Thread>,
    /// The lifetimes of threads that are not among them, added up, nanoseconds; `None` if they are not known.
    pub unlisted_ns: Option<u64>,
    /// Every process, in the order of their start.
    pub processes: Vec<Process>,
    /// The files of code.
    pub modules: Vec<Module>,
    /// How the recorder worked.
    pub recorder: Recorder,
    /// Whether the kernel watched for holders that lose their processor.
    pub watched: Option<Watched>,
    /// The order of locks, whose locks are positions among the rows.
    pub order: Option<LockOrder<usize>>,
    /// Alerts that were raised while the program ran.
    pub alerts: Vec<Alert>,
    /// What was not recorded.
    pub dropped: Dropped,
    /// What the reader should know.
    pub warnings: Vec<String>,
}

/// The resources that all processes used, as far as they are known.
#[derive(Default)]
pub struct Usage {
    /// User time, nanoseconds.
    pub user_ns: Option<u64>,
    /// Kernel time, nanoseconds.
    pub system_ns: Option<u64>,
    /// Voluntary context switches.
    pub voluntary_switches: Option<u64>,
    /// Involuntary context switches.
    pub involuntary_switches: Option<u64>,
}

/// Returns how many of the program's involuntary context switches came from sched_yield; `None` unless this is known for all
/// threads.
fn yields(threads: &[Thread], involuntary: Option<u64>) -> Option<u64> {
    let all: Option<u64> = threads.iter().map(|it| it.yields).sum();
    Some(all?.min(involuntary?))
}

/// Returns the profile of a program with these rows.
pub fn profile(program: Program, rows: Vec<Facts>) -> Profile {
    profile_with_ids(program, rows).0
}

/// Does the same, and also returns the ids of the rows in their order.
pub fn profile_with_ids(program: Program, rows: Vec<Facts>) -> (Profile, Vec<String>) {
    let (locks, ids) = locks(rows);
    let mut threads = program.threads;
    threads.sort_by_key(|it| {
        let cost = Reverse((it.lock_wait_ns, it.signal_wait_ns, it.futex_wait_ns));
        (cost, it.start_ns, it.pid, it.tid)
    });
    let lives = threads.iter().map(|thread| thread.duration_ns);
    let sum = |ns: fn(&Lock) -> u64| locks.iter().map(ns).fold(0, u64::saturating_add);
    let profile = Profile {
        schema: SCHEMA.to_owned(),
        made: program.made,
        source: program.source,
        command: program.command,
        duration_ns: program.duration_ns,
        user_ns: program.usage.user_ns,
        system_ns: program.usage.system_ns,
        voluntary_switches: program.usage.voluntary_switches,
        involuntary_switches: program.usage.involuntary_switches,
        yields: yields(&threads, program.usage.involuntary_switches),
        threads: threads.len() as u64,
        thread_time_ns: program.unlisted_ns.map_or(0, |unlisted_ns| {
            lives.fold(unlisted_ns, u64::saturating_add)
        }),
        wait_ns: sum(|lock| lock.wait_ns.total),
        signal_wait_ns: sum(|lock| lock.signal.as_ref().map_or(0, |it| it.wait_ns.total)),
        time: time::time(&threads, &locks),
        per_thread: threads,
        processes: program.processes,
        modules: program.modules,
        recorder: program.recorder,
        preemption: preemption::total(program.watched, &locks),
        order: program
            .order
            .map(|order| order.named(|row| ids.get(row).cloned().unwrap_or_default())),
        spin_cpu_ns: None,
        spin_samples: None,
        spinning: Vec::new(),
        alerts: program.alerts,
        timeline: None,
        dropped: program.dropped,
        warnings: program.warnings,
        locks,
    };
    (profile, ids)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn threads(yields: &[Option<u64>]) -> Vec<Thread> {
        let threads = yields.iter().map(|&yields| Thread {
            yields,
            ..Thread::default()
        });
        threads.collect()
    }

    #[test]
    fn yields_are_known_if_they_are_of_each_thread_and_are_among_the_switches() {
        assert_eq!(yields(&threads(&[Some(3), Some(4)]), Some(10)), Some(7));
        assert_eq!(yields(&threads(&[Some(3), Some(4)]), Some(5)), Some(5));
        assert_eq!(yields(&threads(&[Some(3), None]), Some(10)), None);
        assert_eq!(yields(&threads(&[Some(3), Some(4)]), None), None);
    }
}

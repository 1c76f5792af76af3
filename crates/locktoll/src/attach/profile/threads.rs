//! The threads, and where their time went.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::Seen;
use crate::profile::{Lock, Thread, ThreadTime, Use};

/// Every thread that was seen, by the time it waited, longest first. `waiting` is what those wait for that still do.
pub fn threads(seen: &Seen<'_>, waiting: &HashMap<u32, (Use, u64)>) -> Vec<Thread> {
    let gathered = seen.gathered.threads.iter();
    let waits: HashMap<u32, u64> = gathered.map(|it| (it.thread, it.wait_ns)).collect();
    let mut threads: Vec<Thread> = seen
        .lives
        .threads()
        .map(|life| {
            let still = |used_as| match waiting.get(&life.own_tid) {
                Some(&(of, ns)) if of == used_as => ns,
                _ => 0,
            };
            Thread {
                pid: seen.subject.pid,
                tid: life.tid,
                name: life.name,
                started_with: None,
                start_ns: life.start_ns,
                duration_ns: life.duration_ns,
                cpu_ns: life.cpu_ns,
                cpu_wait_ns: life.cpu_wait_ns,
                lock_wait_ns: None,
                lock_still_waiting_ns: still(Use::Lock),
                signal_wait_ns: None,
                signal_still_waiting_ns: still(Use::Signal),
                // Of a thread that the kernel's programs have no entry for, no wait has ended.
                futex_wait_ns: Some(waits.get(&life.own_tid).copied().unwrap_or(0)),
                voluntary_switches: life.voluntary_switches,
                involuntary_switches: life.involuntary_switches,
            }
        })
        .collect();
    threads.sort_by_key(|thread| (Reverse(thread.futex_wait_ns), thread.tid));
    threads
}

/// Where the time of all threads went. What each waited for is not known, what all together did is: nothing is said where some ended
/// before the kernel could be asked.
pub fn time(threads: &[Thread], locks: &[Lock]) -> ThreadTime {
    let sum = |ns: &dyn Fn(&Thread) -> Option<u64>| threads.iter().map(ns).sum::<Option<u64>>();
    let (Some(cpu_ns), Some(cpu_wait_ns)) = (sum(&|it| it.cpu_ns), sum(&|it| it.cpu_wait_ns))
    else {
        return ThreadTime::default();
    };
    let total_ns = threads.iter().map(|it| it.duration_ns).sum();
    // What is measured in different ways may overlap a little: what is known best is taken first.
    let mut rest = total_ns;
    let mut take = |ns: u64| {
        let taken = ns.min(rest);
        rest -= taken;
        taken
    };
    ThreadTime {
        threads: threads.len() as u64,
        total_ns,
        running_ns: take(cpu_ns),
        lock_ns: take(asleep(locks, Use::Lock)),
        cpu_wait_ns: take(cpu_wait_ns),
        signal_ns: take(asleep(locks, Use::Signal)),
        other_ns: rest,
    }
}

/// Time in which threads waited, and neither ran nor waited for a processor.
fn asleep(locks: &[Lock], used_as: Use) -> u64 {
    let locks = locks.iter().filter(|lock| lock.used_as == used_as);
    locks
        .map(|lock| {
            let blocked_ns = lock.wait_split.as_ref().map_or(0, |split| split.blocked_ns);
            blocked_ns.saturating_add(lock.still_waiting_ns)
        })
        .fold(0, u64::saturating_add)
}

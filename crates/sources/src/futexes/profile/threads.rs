//! The threads.

use std::collections::HashMap;

use super::Seen;
use locktoll_results::profile::{Thread, Use};

/// Every thread that was seen. `waiting` is what those wait for that still do.
pub fn threads(seen: &Seen<'_>, waiting: &HashMap<u32, (Use, u64)>) -> Vec<Thread> {
    let gathered = seen.gathered.threads.iter();
    let waits: HashMap<u32, u64> = gathered.map(|it| (it.thread, it.wait_ns)).collect();
    let gathered = seen.gathered.threads.iter();
    let yields: HashMap<u32, u64> = gathered.map(|it| (it.thread, it.yielded)).collect();
    seen.lives
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
                // Of a thread without an entry, none was seen.
                yields: life
                    .involuntary_switches
                    .map(|all| yields.get(&life.own_tid).copied().unwrap_or(0).min(all)),
            }
        })
        .collect()
}

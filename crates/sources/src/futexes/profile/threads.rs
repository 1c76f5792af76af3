//! The threads.

use std::collections::HashMap;

use super::Seen;
use crate::futexes::process::Observed;
use locktoll_results::profile::{Thread, Use};

/// What the kernel's programs have seen of each thread: how long it waited, and how often it yielded.
type Waited = HashMap<(u32, u32), (u64, u64)>;

/// Returns every thread that was seen. `waiting` says what the threads that still wait are waiting for.
pub fn threads(seen: &Seen<'_>, waiting: &HashMap<(u32, u32), (Use, u64)>) -> Vec<Thread> {
    let gathered = seen.gathered.threads.iter();
    let waited: Waited = gathered
        .map(|it| ((it.process, it.thread), (it.wait_ns, it.yielded)))
        .collect();
    let processes = seen.processes.all();
    processes
        .flat_map(|(number, observed)| of_process(number, observed, &waited, waiting))
        .collect()
}

fn of_process(
    number: u32,
    observed: &Observed,
    waited: &Waited,
    waiting: &HashMap<(u32, u32), (Use, u64)>,
) -> Vec<Thread> {
    let threads = observed.lives.threads();
    threads
        .map(|life| {
            let key = (number, life.own_tid);
            // If the kernel's programs have no entry for a thread, none of its waits has ended, and no yield was seen.
            let (wait_ns, yielded) = waited.get(&key).copied().unwrap_or_default();
            let still = |used_as| match waiting.get(&key) {
                Some(&(of, ns)) if of == used_as => ns,
                _ => 0,
            };
            Thread {
                pid: observed.subject.pid,
                tid: life.tid,
                name: life.name,
                started_with: None,
                start_ns: life.start_ns,
                duration_ns: life.duration_ns,
                cpu_ns: life.cpu_ns,
                spin_ns: None,
                cpu_wait_ns: life.cpu_wait_ns,
                lock_wait_ns: None,
                lock_still_waiting_ns: still(Use::Lock),
                signal_wait_ns: None,
                signal_still_waiting_ns: still(Use::Signal),
                futex_wait_ns: Some(wait_ns),
                voluntary_switches: life.voluntary_switches,
                involuntary_switches: life.involuntary_switches,
                yields: life.involuntary_switches.map(|all| yielded.min(all)),
            }
        })
        .collect()
}

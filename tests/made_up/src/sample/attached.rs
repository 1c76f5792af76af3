//! The same server as seen by the kernel while it runs.

use super::server::job_server;
use locktoll_results::profile::{
    Blame, FutexCalls, HolderThread, Lock, Profile, Recorder, Source, Thread, ThreadTime, Use,
    WokenBy,
};

/// [`job_server`] with what is not seen from the kernel left out, and what only the kernel sees.
pub fn attached_server() -> Profile {
    let mut profile = job_server();
    profile.source = Source::Attach;
    profile.recorder = Recorder {
        mode: None,
        ns_per_pair: None,
        share_of_cpu: None,
    };
    profile.preemption = None;
    profile.time = ThreadTime::default();
    profile.per_thread.iter_mut().for_each(unsplit);
    profile.locks.iter_mut().for_each(seen_by_the_kernel);
    profile
        .locks
        .retain(|lock| lock.contended > 0 || lock.signal.is_some());
    profile
}

fn unsplit(thread: &mut Thread) {
    let waits = [thread.lock_wait_ns.take(), thread.signal_wait_ns.take()];
    thread.futex_wait_ns = waits.into_iter().sum();
}

fn seen_by_the_kernel(lock: &mut Lock) {
    lock.acquisitions = None;
    lock.read_acquisitions = None;
    lock.takers = None;
    lock.try_failed = None;
    lock.hold_ns = None;
    lock.while_held = None;
    lock.preemption = None;
    lock.recorder_dominates = false;
    lock.birth.clear();
    lock.initialised = false;
    if let Some(split) = &mut lock.wait_split {
        split.blocked_ns += split.spinning_ns.take().unwrap_or(0);
        (
            split.examined,
            split.voluntary_switches,
            split.involuntary_switches,
        ) = (0, 0, 0);
    }
    for site in &mut lock.sites {
        (site.acquisitions, site.try_failed, site.hold_ns) = (None, None, None);
    }
    for member in &mut lock.members {
        (member.acquisitions, member.hold_ns) = (None, None);
    }
    let waits = match &mut lock.signal {
        Some(signal) => {
            (signal.waits, signal.relock_ns) = (None, None);
            (signal.signals, signal.broadcasts) = (None, None);
            signal.blocked
        }
        None => lock.contended,
    };
    lock.futex = Some(FutexCalls {
        woken: waits - lock.timed_out.min(waits),
        again: waits / 10,
        timed_out: lock.timed_out,
        wakes: Some(waits * 2),
        wakes_empty: Some(waits),
        threads_woken: Some(waits),
        ..FutexCalls::default()
    });
    let waiter = lock.sites.first().map(|site| site.frames.clone());
    let (Some(waiter), Use::Lock) = (waiter, lock.used_as) else {
        lock.blame.clear();
        return;
    };
    let total_ns = lock.wait_ns.total;
    lock.woken_by = vec![
        WokenBy {
            waiter: waiter.clone(),
            waker: Some(waiter.clone()),
            count: waits - waits / 5,
            wait_ns: total_ns / 10 * 9,
        },
        WokenBy {
            waiter: waiter.clone(),
            waker: None,
            count: waits / 5,
            wait_ns: total_ns / 10,
        },
    ];
    let held = |tid, name: &str, wait_ns| Blame {
        waiter: waiter.clone(),
        holder: None,
        holder_thread: Some(HolderThread {
            tid,
            name: name.to_owned(),
        }),
        count: waits / 2,
        wait_ns,
    };
    lock.blame = vec![
        held(4243, "worker-0", total_ns / 2),
        held(4250, "", total_ns / 3),
    ];
}

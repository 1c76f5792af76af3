//! From the facts of a row to a lock of the profile.

use std::cmp::Reverse;

use super::facts::Facts;
use super::ids::Ids;
use super::order;
use super::origin::Origin;
use locktoll_results::profile::{
    Lock, LockKind, STILL_WAITING, SignalWaits, Site, Use, WaitTimes, kind_word,
};

/// Returns the locks, the most expensive first, and the ids of the rows in their order.
pub fn locks(rows: Vec<Facts>) -> (Vec<Lock>, Vec<String>) {
    let mut row_ids = vec![String::new(); rows.len()];
    let numbered = rows.into_iter().enumerate();
    let mut named: Vec<(String, usize, Facts)> =
        numbered.map(|(row, it)| (id(&it), row, it)).collect();
    // Equal ids get numbers in the order of other properties that distinguish the rows, not by cost, which differs from run to
    // run. Rows without such properties stay in the order of the source.
    named.sort_by_cached_key(|(id, _, facts)| {
        let frames = facts.origin.birth().iter();
        let places = frames.map(|frame| (frame.function.clone(), frame.line));
        (id.clone(), places.collect::<Vec<_>>())
    });
    let mut ids = Ids::default();
    let mut locks: Vec<Lock> = named
        .into_iter()
        .map(|(id, row, facts)| {
            let id = ids.unique(id);
            row_ids[row].clone_from(&id);
            lock(id, facts)
        })
        .collect();
    order::locks(&mut locks);
    (locks, row_ids)
}

fn id(facts: &Facts) -> String {
    let word = match facts.posted {
        true => "signal-semaphore",
        false => kind_word(facts.kind),
    };
    facts.origin.id(word)
}

/// Waits for signals are shown differently from waits for locks: a signal does not have contention, holders or blame.
fn lock(id: String, facts: Facts) -> Lock {
    let signal = facts.used_as == Use::Signal;
    // The acquisition of a futex word without a wait is not seen.
    let counted = facts.kind != LockKind::Futex;
    let signal_waits = signal.then(|| signal_waits(&facts));
    let mut still_waiting = facts.unended.waits;
    // Of threads that have waited equally long, the first thread comes first, so that every report of a recording is the same.
    still_waiting.sort_by_key(|it| (Reverse(it.wait_ns), it.pid, it.tid));
    still_waiting.truncate(STILL_WAITING);
    let unless_signal = |times: WaitTimes| if signal { WaitTimes::default() } else { times };
    Lock {
        id,
        kind: facts.kind,
        used_as: facts.used_as,
        name: facts.origin.name(facts.kind, facts.used_as),
        first_site: facts.first_site,
        initialised: matches!(facts.origin, Origin::Initialised(_)),
        birth: facts.origin.birth().to_vec(),
        instances: facts.instances,
        acquisitions: facts.calls.filter(|_| counted && !signal),
        read_acquisitions: facts.read_acquisitions,
        takers: facts.takers.filter(|_| counted && !signal),
        contended: if signal { 0 } else { facts.waits.contended },
        try_failed: facts.try_failed,
        timed_out: facts.waits.timed_out,
        still_waiting: facts.unended.threads,
        still_waiting_ns: facts.unended.wait_ns,
        longest_still_waiting: still_waiting.first().cloned(),
        still_waiting_threads: still_waiting,
        wait_ns: unless_signal(facts.waits.times()),
        wait_split: facts.wait_split,
        hold_ns: facts.hold_ns,
        recorder_dominates: facts.recorder_dominates,
        while_held: facts.while_held,
        preemption: facts.preemption.filter(|_| !signal),
        signal: signal_waits,
        sites: sites(facts.sites, counted || signal),
        stacks: order::stacks(facts.stacks),
        members: match facts.instances {
            0 | 1 => Vec::new(),
            _ => facts.members.into_list(),
        },
        blame: match facts.used_as {
            Use::Lock => order::blame(facts.blame),
            Use::Signal => Vec::new(),
        },
        woken_by: order::woken_by(facts.woken_by),
        futex: facts.futex,
        anchors: facts.anchors,
        spun_words: facts.spun_words,
        near_words: facts.near_words,
    }
}

fn signal_waits(facts: &Facts) -> SignalWaits {
    SignalWaits {
        waits: facts.calls,
        blocked: facts.waits.contended,
        wait_ns: facts.waits.times(),
        relock_ns: facts.wakes.relock_ns,
        signals: facts.wakes.signals,
        broadcasts: facts.wakes.broadcasts,
    }
}

/// Returns the places, without their acquisitions unless all acquisitions were `counted`.
fn sites(sites: Vec<Site>, counted: bool) -> Vec<Site> {
    let mut sites = order::sites(sites);
    for site in &mut sites {
        site.acquisitions = site.acquisitions.filter(|_| counted);
    }
    sites
}

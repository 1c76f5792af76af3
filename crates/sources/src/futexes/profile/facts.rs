//! From the sums of a row to the facts for the joiner.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::calls::Stacks;
use super::identity::Statics;
use super::row::{Key, Row};
use super::rows::Rows;
use crate::futexes::process::Processes;
use crate::joiner::{Facts, Members, Unended, Wakes, without_trailing_zeros};
use locktoll_results::profile::{
    Blame, FutexCalls, HolderPreemption, HolderThread, Member, PreemptionSource, Site, StackWaits,
    StillWaiting, WaitSplit, WokenBy,
};

/// Returns the rows, the most expensive first.
pub fn facts(
    rows: Rows,
    stacks: &Stacks,
    statics: &Statics<'_>,
    processes: &Processes,
) -> Vec<Facts> {
    let rows = rows.0.into_iter();
    let rows = rows.filter(|(_, row)| row.waits.contended > 0 || !row.waiting.is_empty());
    let mut facts: Vec<Facts> = rows
        .map(|(key, row)| of_row(&key, row, stacks, statics, processes))
        .collect();
    facts.sort_by_key(|it| Reverse(it.waits.total_ns));
    facts
}

/// Returns the stack of the place that has waited longest; if no wait has ended, that of the longest unfinished wait.
fn dearest_site(row: &Row) -> Option<u32> {
    let sites = row.sites.iter();
    let dearest = sites.max_by(|a, b| (a.1.1.wait_ns, a.0).cmp(&(b.1.1.wait_ns, b.0)));
    let goes_on = || row.waiting.iter().max_by_key(|it| (it.wait_ns, it.thread));
    let dearest = dearest.map(|(_, &(stack, _))| stack);
    dearest.or_else(|| goes_on().map(|it| it.stack))
}

fn of_row(
    key: &Key,
    row: Row,
    stacks: &Stacks,
    statics: &Statics<'_>,
    processes: &Processes,
) -> Facts {
    let first_site = dearest_site(&row).map(|stack| stacks.get(stack).site_frames().to_vec());
    let first_site = first_site.unwrap_or_default();
    Facts {
        kind: key.kind,
        used_as: key.used_as,
        posted: false,
        origin: statics.origin(&key.identity, &first_site),
        first_site,
        instances: match row.of_threads {
            true => 1,
            false => row.objects.len() as u64,
        },
        calls: None,
        read_acquisitions: None,
        takers: None,
        try_failed: None,
        wait_split: (row.waits.contended > 0).then(|| split(&row)),
        unended: Unended {
            threads: row.waiting.len() as u64,
            wait_ns: row.waiting.iter().map(|it| it.wait_ns).sum(),
            waits: still_waiting(&row, stacks, processes),
        },
        hold_ns: None,
        recorder_dominates: false,
        while_held: None,
        preemption: preemption(&row),
        wakes: Wakes::default(),
        sites: sites(&row, stacks),
        stacks: by_stack(&row, stacks),
        members: members(&row, processes),
        blame: blame(&row, stacks, processes),
        woken_by: woken_by(&row, stacks),
        futex: Some(calls(&row)),
        anchors: Vec::new(),
        spun_words: Vec::new(),
        near_words: Vec::new(),
        waits: row.waits,
    }
}

/// Returns the preempted holders; `None` if no waiter's lock named its owner.
fn preemption(row: &Row) -> Option<HolderPreemption> {
    let waited = row.waits.total_ns;
    (row.owner_known > 0).then(|| HolderPreemption {
        source: PreemptionSource::SchedSwitch,
        count: row.preempted.waits,
        total_ns: row.preempted.wait_ns,
        max_ns: Some(row.preempted.max_ns),
        log2: Some(without_trailing_zeros(&row.preempted_log2)),
        yielded: None,
        blocked: None,
        stolen: None,
        waited_meanwhile_ns: Some(row.waited_meanwhile_ns),
        share_of_wait: (waited > 0).then(|| row.waited_meanwhile_ns as f64 / waited as f64),
        examined: None,
        sites: Vec::new(),
        waiters: Vec::new(),
    })
}

fn split(row: &Row) -> WaitSplit {
    let runnable_ns = row.waits.runnable_ns.min(row.waits.total_ns);
    WaitSplit {
        spinning_ns: None,
        blocked_ns: row.waits.total_ns - runnable_ns,
        runnable_ns,
        examined: 0,
        voluntary_switches: 0,
        involuntary_switches: 0,
    }
}

fn calls(row: &Row) -> FutexCalls {
    FutexCalls {
        woken: row.woken,
        again: row.again,
        timed_out: row.waits.timed_out,
        interrupted: row.interrupted,
        failed: row.failed,
        wakes: row.wakes.map(|[calls, ..]| calls),
        wakes_empty: row.wakes.map(|[_, empty, _]| empty),
        threads_woken: row.wakes.map(|[.., woken]| woken),
    }
}

fn sites(row: &Row, stacks: &Stacks) -> Vec<Site> {
    let mut sites: Vec<_> = row.sites.iter().collect();
    sites.sort_by_key(|&(site, _)| site);
    sites
        .into_iter()
        .map(|(_, (stack, sum))| Site {
            frames: stacks.get(*stack).site_frames().to_vec(),
            acquisitions: None,
            contended: sum.waits,
            try_failed: None,
            wait_ns: sum.wait_ns,
            wait_max_ns: Some(sum.max_ns),
            hold_ns: None,
        })
        .collect()
}

/// Returns the stacks by their functions. Two stacks that differ only in an address, such as in a repeated call, remain two.
fn by_stack(row: &Row, stacks: &Stacks) -> Vec<StackWaits> {
    let mut all: Vec<_> = row.stacks.iter().collect();
    all.sort_by_key(|&(&stack, _)| stack);
    all.into_iter()
        .map(|(&stack, sum)| StackWaits {
            frames: stacks.get(stack).frames().to_vec(),
            waits: sum.waits,
            wait_ns: sum.wait_ns,
        })
        .collect()
}

fn woken_by(row: &Row, stacks: &Stacks) -> Vec<WokenBy> {
    let mut pairs: Vec<_> = row.woken_by.iter().collect();
    pairs.sort_by_key(|&(pair, _)| pair);
    pairs
        .into_iter()
        .map(|((site, _), (waker, sum))| {
            let waiter = row.sites.get(site).map_or(0, |&(stack, _)| stack);
            let waker = (*waker != 0).then(|| stacks.get(*waker).site_frames().to_vec());
            WokenBy {
                waiter: stacks.get(waiter).site_frames().to_vec(),
                waker,
                count: sum.waits,
                wait_ns: sum.wait_ns,
            }
        })
        .collect()
}

fn still_waiting(row: &Row, stacks: &Stacks, processes: &Processes) -> Vec<StillWaiting> {
    let waiting = row.waiting.iter();
    waiting
        .map(|it| StillWaiting {
            pid: processes.pid(it.process),
            tid: it.thread,
            frames: stacks.get(it.stack).frames().to_vec(),
            wait_ns: it.wait_ns,
            holder_thread: thread((it.process, it.owner), processes),
            holder: Vec::new(),
            owner_field: it.owner_field,
        })
        .collect()
}

/// Returns the waiting by the thread that owned the lock meanwhile. The waiter is known if all waits are at one place.
fn blame(row: &Row, stacks: &Stacks, processes: &Processes) -> Vec<Blame> {
    let ended = row.sites.values().map(|&(stack, _)| stack);
    let go_on = row.waiting.iter().map(|it| it.stack);
    let waiters: BTreeMap<_, u32> = ended
        .chain(go_on)
        .map(|stack| (stacks.get(stack).site(), stack))
        .filter(|(site, _)| !site.is_empty())
        .collect();
    let waiter = match waiters.len() {
        1 => waiters.values().next().copied(),
        _ => None,
    };
    let waiter = waiter.map_or(&[][..], |stack| stacks.get(stack).site_frames());
    let mut owners: Vec<_> = row.owners.iter().collect();
    owners.sort_by_key(|&(&thread, _)| thread);
    owners
        .into_iter()
        .map(|(&owner, sum)| Blame {
            waiter: waiter.to_vec(),
            holder: None,
            holder_thread: thread(owner, processes),
            count: sum.waits,
            wait_ns: sum.wait_ns,
        })
        .collect()
}

/// Returns the thread with this process and number; number zero means no thread.
fn thread((process, tid): (u32, u32), processes: &Processes) -> Option<HolderThread> {
    let name = || processes.get(process)?.lives.name(tid);
    (tid != 0).then(|| HolderThread {
        tid,
        name: name().unwrap_or_default().to_owned(),
    })
}

fn members(row: &Row, processes: &Processes) -> Members {
    let mut members = Members::default();
    for (&(process, address), sum) in &row.objects {
        members.add(Member {
            pid: processes.pid(process),
            address,
            generation: 0,
            offset: None,
            acquisitions: None,
            contended: sum.waits,
            wait_ns: sum.wait_ns,
            hold_ns: None,
        });
    }
    members
}

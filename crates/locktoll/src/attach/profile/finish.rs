//! From the sums of a row to what is shown of it.

use std::cmp::Reverse;

use super::calls::Stacks;
use super::identity::{Named, Statics};
use super::rows::{Key, Row, Rows, Sum};
use crate::attach::process::Lives;
use crate::profile::{
    Blame, FutexCalls, HolderPreemption, HolderThread, Identities, Lock, MEMBERS, Member,
    PreemptionSource, SignalWaits, Site, StackWaits, StillWaiting, Use, WaitSplit, WaitTimes,
    WokenBy, quantile_ns, without_trailing_zeros,
};

/// The locks, the dearest first; where the cost is the same, by identity.
pub fn locks(rows: Rows, stacks: &Stacks, statics: &Statics<'_>, lives: &Lives) -> Vec<Lock> {
    let rows = rows.0.into_iter();
    let rows = rows.filter(|(_, row)| row.all.waits > 0 || !row.waiting.is_empty());
    let mut named: Vec<(Named, Key, Row)> = rows
        .map(|(key, row)| {
            let site = dearest_site(&row).map(|stack| stacks.get(stack).site_frames());
            let named = Named::of(
                &key.identity,
                key.kind,
                key.used_as,
                site.unwrap_or_default(),
                statics,
            );
            (named, key, row)
        })
        .collect();
    named.sort_by_key(|(named, _, row)| (Reverse(row.all.wait_ns), named.id.clone()));
    let mut identities = Identities::default();
    let mut locks: Vec<Lock> = named
        .into_iter()
        .map(|(named, key, row)| lock(named, &key, row, stacks, lives, &mut identities))
        .collect();
    // Locks that were waited for, then what is used as a signal.
    locks.sort_by_key(|lock| lock.used_as == Use::Signal);
    locks
}

/// The stack of the place that has waited longest.
fn dearest_site(row: &Row) -> Option<u32> {
    let sites = row.sites.iter();
    let dearest = sites.max_by(|a, b| (a.1.1.wait_ns, a.0).cmp(&(b.1.1.wait_ns, b.0)));
    dearest.map(|(_, &(stack, _))| stack)
}

fn lock(
    named: Named,
    key: &Key,
    row: Row,
    stacks: &Stacks,
    lives: &Lives,
    identities: &mut Identities,
) -> Lock {
    let signal = key.used_as == Use::Signal;
    let times = times(&row);
    let first_site = dearest_site(&row).map(|stack| stacks.get(stack).site_frames().to_vec());
    let instances = if row.of_threads {
        1
    } else {
        row.objects.len() as u64
    };
    Lock {
        id: identities.unique(named.id),
        kind: key.kind,
        used_as: key.used_as,
        name: named.name,
        first_site: first_site.unwrap_or_default(),
        birth: Vec::new(),
        initialised: false,
        instances,
        acquisitions: None,
        read_acquisitions: None,
        contended: if signal { 0 } else { row.all.waits },
        try_failed: None,
        timed_out: row.timed_out,
        still_waiting: row.waiting.len() as u64,
        still_waiting_ns: row.waiting.iter().map(|(.., ns)| ns).sum(),
        longest_still_waiting: longest(&row),
        wait_ns: if signal {
            WaitTimes::default()
        } else {
            times.clone()
        },
        wait_split: (row.all.waits > 0).then(|| split(&row)),
        hold_ns: None,
        recorder_dominates: false,
        while_held: None,
        preemption: (!signal).then(|| preemption(&row)).flatten(),
        signal: signal.then_some(SignalWaits {
            waits: None,
            blocked: row.all.waits,
            wait_ns: times,
            relock_ns: None,
            signals: None,
            broadcasts: None,
        }),
        sites: sites(&row, stacks),
        stacks: by_stack(&row, stacks),
        members: if instances > 1 {
            members(&row)
        } else {
            Vec::new()
        },
        blame: if signal {
            Vec::new()
        } else {
            blame(&row, stacks, lives)
        },
        woken_by: woken_by(&row, stacks),
        futex: Some(calls(&row)),
        anchors: Vec::new(),
    }
}

/// Holders that were preempted; `None` where no waiter's lock named its owner.
fn preemption(row: &Row) -> Option<HolderPreemption> {
    let waited = row.all.wait_ns;
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

fn times(row: &Row) -> WaitTimes {
    let quantile = |share| quantile_ns(&row.log2, share, row.all.max_ns);
    WaitTimes {
        total: row.all.wait_ns,
        max: (row.all.waits > 0).then_some(row.all.max_ns),
        p50: quantile(0.5),
        p99: quantile(0.99),
        log2: without_trailing_zeros(&row.log2),
    }
}

fn split(row: &Row) -> WaitSplit {
    let runnable_ns = row.runnable_ns.min(row.all.wait_ns);
    WaitSplit {
        spinning_ns: None,
        blocked_ns: row.all.wait_ns - runnable_ns,
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
        timed_out: row.timed_out,
        interrupted: row.interrupted,
        failed: row.failed,
        wakes: row.wakes.map(|[calls, ..]| calls),
        wakes_empty: row.wakes.map(|[_, empty, _]| empty),
        threads_woken: row.wakes.map(|[.., woken]| woken),
    }
}

/// What sums are ordered by: the dearest first.
fn cost(sum: &Sum) -> Reverse<(u64, u64)> {
    Reverse((sum.wait_ns, sum.waits))
}

fn sites(row: &Row, stacks: &Stacks) -> Vec<Site> {
    let mut sites: Vec<_> = row.sites.iter().collect();
    sites.sort_by_key(|(site, (_, sum))| (cost(sum), (*site).clone()));
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

/// Stacks by their functions: two that differ by an address alone, as where a call is repeated, stay two.
fn by_stack(row: &Row, stacks: &Stacks) -> Vec<StackWaits> {
    let mut all: Vec<_> = row.stacks.iter().collect();
    all.sort_by_key(|&(&stack, sum)| (cost(sum), stack));
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
    pairs.sort_by_key(|(pair, (_, sum))| (cost(sum), (*pair).clone()));
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

/// The wait that has lasted longest. Where it waits is not known before it ends.
fn longest(row: &Row) -> Option<StillWaiting> {
    let longest = row.waiting.iter().max_by_key(|&&(_, tid, ns)| (ns, tid))?;
    let &(pid, tid, wait_ns) = longest;
    Some(StillWaiting {
        pid,
        tid,
        frames: Vec::new(),
        wait_ns,
    })
}

/// Waiting by the thread that owned the lock meanwhile, the dearest first. Who waited is known where all waits are of one place.
fn blame(row: &Row, stacks: &Stacks, lives: &Lives) -> Vec<Blame> {
    let mut known = row.sites.iter().filter(|(site, _)| !site.is_empty());
    let waiter = match (known.next(), known.next()) {
        (Some((_, &(stack, _))), None) => stacks.get(stack).site_frames().to_vec(),
        _ => Vec::new(),
    };
    let mut owners: Vec<_> = row.owners.iter().collect();
    owners.sort_by_key(|&(&thread, sum)| (cost(sum), thread));
    owners
        .into_iter()
        .map(|(&tid, sum)| Blame {
            waiter: waiter.clone(),
            holder: None,
            holder_thread: Some(HolderThread {
                tid,
                name: lives.name(tid).unwrap_or_default().to_owned(),
            }),
            count: sum.waits,
            wait_ns: sum.wait_ns,
        })
        .collect()
}

fn members(row: &Row) -> Vec<Member> {
    let mut objects: Vec<_> = row.objects.iter().collect();
    objects.sort_by_key(|&(&object, sum)| (cost(sum), object));
    objects.truncate(MEMBERS);
    objects
        .into_iter()
        .map(|(&(pid, address), sum)| Member {
            pid,
            address,
            generation: 0,
            offset: None,
            acquisitions: None,
            contended: sum.waits,
            wait_ns: sum.wait_ns,
            hold_ns: None,
        })
        .collect()
}

//! From the sums of a row to what is shown of it.

use std::cmp::Reverse;
use std::iter;

use locktoll_recording::layout::EntryPoint;

use super::asked;
use super::births::Births;
use super::identity::{Identities, Places};
use super::preempted::{self, Preempted};
use super::rows::{Row, Rows};
use super::sites::{SiteId, Sites};
use super::stacks::{StackId, Stacks};
use super::statics::Statics;
use super::sums::Sums;
use super::uses::Calls;
use super::{
    Frame, HolderPreemption, Lock, LockKind, SignalWaits, Site, StackWaits, Use, WaitTimes, uses,
};

/// All that rows refer to.
#[derive(Default)]
pub struct Tables {
    /// Call sites.
    pub sites: Sites,
    /// Stacks.
    pub stacks: Stacks,
    /// Births.
    pub births: Births,
    /// Variables and files.
    pub statics: Statics,
}

impl Tables {
    fn places(&self) -> Places<'_> {
        Places {
            sites: &self.sites,
            births: &self.births,
            statics: &self.statics,
        }
    }

    /// What each row is used for, by its number.
    pub fn uses(&self, rows: &Rows) -> Vec<Use> {
        rows.rows.iter().map(|row| self.used_as(row)).collect()
    }

    fn used_as(&self, row: &Row) -> Use {
        if row.identity.is_posted() {
            return Use::Signal;
        }
        if row.identity.kind != LockKind::Futex {
            return uses::used_as(row.identity.kind, &row.calls, &row.wakers, iter::empty());
        }
        // Somebody wakes, and nobody was ever there to be woken.
        if row.by_site.is_empty() {
            return Use::Signal;
        }
        let stacks = by_cost(row).into_iter();
        let mut frames: Vec<Vec<Frame>> = stacks
            .map(|(stack, _)| self.sites.stack(self.stacks.calls(stack)))
            .collect();
        let mut sites: Vec<SiteId> = row.by_site.keys().copied().collect();
        sites.sort_unstable();
        frames.extend(
            sites
                .into_iter()
                .map(|site| self.sites.frames(site).to_vec()),
        );
        uses::used_as(
            row.identity.kind,
            &row.calls,
            &row.wakers,
            frames.iter().map(|it| &it[..]),
        )
    }

    /// The locks, by cost, and by identity where the cost is the same. `uses` as [`uses`](Self::uses) gave them.
    pub fn into_locks(self, rows: Rows, uses: &[Use], ns_per_pair: Option<f64>) -> Vec<Lock> {
        let places = self.places();
        let mut named: Vec<(String, Vec<SiteId>, Use, Row)> = rows
            .rows
            .into_iter()
            .zip(uses)
            .map(|(row, &used_as)| {
                let calls = row.identity.birth(places.births);
                let calls = calls.map(|(calls, _)| calls).unwrap_or_default();
                (row.identity.id(places), calls, used_as, row)
            })
            .collect();
        // Ids that would be the same get numbers by what else tells the rows apart, not by cost, which differs from
        // run to run.
        named.sort_by_cached_key(|(id, calls, ..)| {
            let frames = self.sites.stack(calls);
            let told = frames.into_iter().map(|frame| (frame.function, frame.line));
            (id.clone(), told.collect::<Vec<_>>())
        });
        let mut identities = Identities::default();
        let mut locks: Vec<Lock> = named
            .into_iter()
            .map(|(id, _, used_as, row)| {
                self.lock(identities.unique(id), used_as, row, ns_per_pair)
            })
            .collect();
        locks.sort_by(|a, b| cost(b).cmp(&cost(a)).then_with(|| a.id.cmp(&b.id)));
        locks
    }

    /// The first place that took a lock, as far out as the program's own call where that is known.
    fn first_site(&self, row: &Row) -> Vec<Frame> {
        if let Some((calls, false)) = row.identity.birth(&self.births)
            && calls.first() == Some(&row.first_site)
            && self.sites.is_wrapper(row.first_site)
            && let Some(program) = calls.iter().position(|&site| !self.sites.is_wrapper(site))
        {
            return self.sites.stack(&calls[..=program]);
        }
        self.sites.frames(row.first_site).to_vec()
    }

    fn lock(&self, id: String, used_as: Use, row: Row, ns_per_pair: Option<f64>) -> Lock {
        let identity = row.identity;
        let places = self.places();
        let signal = used_as == Use::Signal;
        let seen = identity.kind != LockKind::Futex;
        let birth = identity.birth(places.births);
        let stacks = by_cost(&row)
            .into_iter()
            .map(|(stack, (waits, wait_ns))| StackWaits {
                frames: self.sites.stack(self.stacks.calls(stack)),
                waits,
                wait_ns,
            })
            .collect();
        let asked = asked::asked(&row, &self.sites, &self.stacks);
        let first_site = self.first_site(&row);
        let signal_waits = signal.then(|| signal_waits(&row.sums, &row.calls));
        let preemption = (!signal).then(|| self.preemption(&row)).flatten();
        let blame = if signal {
            Vec::new()
        } else {
            row.charges.settle(&asked, &self.sites)
        };
        let sites = asked
            .into_iter()
            .map(|at| Site {
                frames: self.sites.stack(&at.calls),
                acquisitions: at.acquisitions.filter(|_| seen || signal),
                contended: at.contended,
                try_failed: Some(at.try_failed),
                wait_ns: at.wait_ns,
                wait_max_ns: at.wait_max_ns,
                hold_ns: at.hold_ns,
            })
            .collect();
        let sums = &row.sums;
        let shorter = |pair| {
            let holds = row.holds.as_deref();
            holds.is_some_and(|holds| holds.shorter_than(pair, sums.acquisitions))
        };
        Lock {
            id,
            kind: identity.kind,
            used_as,
            name: identity.name(used_as, places),
            first_site,
            initialised: birth.as_ref().is_some_and(|(_, initialised)| *initialised),
            birth: birth.map_or_else(Vec::new, |(calls, _)| self.sites.stack(&calls)),
            instances: row.instances,
            acquisitions: (seen && !signal).then_some(sums.acquisitions),
            read_acquisitions: (identity.kind == LockKind::RwLock).then_some(row.reads),
            contended: if signal { 0 } else { sums.contended },
            try_failed: Some(sums.try_failed),
            timed_out: sums.timed_out,
            still_waiting: row.unended.threads,
            still_waiting_ns: row.unended.wait_ns,
            longest_still_waiting: row.unended.longest(&self.sites),
            wait_ns: if signal {
                WaitTimes::default()
            } else {
                sums.wait_times()
            },
            wait_split: sums.wait_split(identity.kind),
            hold_ns: row.holds.as_ref().and_then(|holds| holds.times()),
            recorder_dominates: shorter(ns_per_pair),
            while_held: row.holds.as_ref().map(|holds| holds.while_held()),
            preemption,
            signal: signal_waits,
            sites,
            stacks,
            members: if row.instances > 1 {
                row.members.into_list()
            } else {
                Vec::new()
            },
            blame,
            woken_by: Vec::new(),
            futex: None,
            anchors: row.anchors.into_list(),
        }
    }
}

impl Tables {
    /// What is known of its holders: what the kernel saw where it watched, else an estimate. Nobody is seen to hold a futex word.
    fn preemption(&self, row: &Row) -> Option<HolderPreemption> {
        let waited_ns = row.sums.wait_total_ns.saturating_add(row.unended.wait_ns);
        match (&row.preempted, row.holds.as_deref()) {
            (Some(preempted), _) => Some(preempted.shown(waited_ns, &self.sites)),
            (None, Some(_)) if row.watched => {
                Some(Preempted::default().shown(waited_ns, &self.sites))
            }
            (None, holds) => preempted::estimate(holds?),
        }
    }
}

fn signal_waits(sums: &Sums, calls: &Calls) -> SignalWaits {
    let calls = |entry| calls.of(entry);
    let wakes = [EntryPoint::Signal, EntryPoint::Release, EntryPoint::Post];
    SignalWaits {
        waits: Some(sums.acquisitions),
        blocked: sums.contended,
        wait_ns: sums.wait_times(),
        relock_ns: Some(sums.relock_ns),
        signals: Some(wakes.map(calls).into_iter().fold(0, u64::saturating_add)),
        broadcasts: Some(calls(EntryPoint::Broadcast)),
    }
}

/// The stacks of a row, the dearest first.
fn by_cost(row: &Row) -> Vec<(StackId, (u64, u64))> {
    let mut stacks: Vec<(StackId, (u64, u64))> = row
        .stacks
        .iter()
        .map(|(&stack, &waits)| (stack, waits))
        .collect();
    stacks.sort_by_key(|&(stack, (waits, wait_ns))| (Reverse((wait_ns, waits)), stack));
    stacks
}

/// What a lock is ordered by; of locks, waits that did not end are as dear as those that did. Signals come after the locks that were waited for, and before those that never were.
fn cost(lock: &Lock) -> [u64; 4] {
    let signalled = lock
        .signal
        .as_ref()
        .map_or(0, |signal| signal.wait_ns.total);
    [
        lock.waited_ns(),
        lock.contended,
        signalled,
        lock.acquisitions.unwrap_or(0),
    ]
}

//! From the sums of a row to the facts for the joiner.

use std::cmp::Reverse;
use std::iter;

use locktoll_recording::layout::EntryPoint;

use super::births::Births;
use super::callers::{self, Asked};
use super::holds::Holds;
use super::identity::Places;
use super::preempted;
use super::preempted::Preempted;
use super::rows::{Row, Rows};
use super::sites::{SiteId, Sites};
use super::stacks::{StackId, Stacks};
use super::statics::Statics;
use super::sums::Sums;
use super::uses;
use super::uses::Calls;
use crate::joiner::{Facts, Wakes};
use locktoll_results::profile::{Frame, HolderPreemption, LockKind, Site, StackWaits, Use};

/// The tables to which rows refer.
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

    /// Returns a call site, out to the program's own call if the lock function is called in a library and the stack shows it.
    pub fn place(&self, site: SiteId, stack: Option<StackId>) -> Vec<Frame> {
        let calls = stack.map_or(&[][..], |stack| self.stacks.calls(stack));
        if calls.first() == Some(&site)
            && self.sites.is_wrapper(site)
            && let Some(program) = calls.iter().position(|&call| !self.sites.is_wrapper(call))
        {
            return self.sites.stack(&calls[..=program]);
        }
        self.sites.frames(site).to_vec()
    }

    /// Returns the functions of a stack, innermost first; none if there is no stack.
    pub fn calls(&self, stack: Option<StackId>) -> Vec<Frame> {
        stack.map_or_else(Vec::new, |stack| self.sites.stack(self.stacks.calls(stack)))
    }

    /// Returns what each row is used for, by its number.
    pub fn uses(&self, rows: &Rows) -> Vec<Use> {
        rows.rows.iter().map(|row| self.used_as(row)).collect()
    }

    fn used_as(&self, row: &Row) -> Use {
        if row.identity.is_posted() {
            return Use::Signal;
        }
        if !matches!(row.identity.kind, LockKind::Futex | LockKind::Semaphore) {
            return uses::used_as(row.identity.kind, &row.calls, &row.wakers, iter::empty());
        }
        // Somebody wakes, but nobody was ever there to be woken.
        let is_unused = row.by_site.is_empty() && row.unended.threads == 0;
        if row.identity.kind == LockKind::Futex && is_unused {
            return Use::Signal;
        }
        let stacks = by_cost(row).into_iter();
        let mut frames: Vec<Vec<Frame>> = stacks
            .map(|(stack, _)| self.sites.stack(self.stacks.calls(stack)))
            .collect();
        let mut sites: Vec<SiteId> = row.by_site.keys().copied().collect();
        sites.extend(row.unended.sites());
        sites.sort_unstable();
        frames.extend(
            sites
                .into_iter()
                .map(|site| self.sites.frames(site).to_vec()),
        );
        uses::used_as(
            row.identity.kind,
            &row.calls.and(row.unended.calls),
            &row.wakers,
            frames.iter().map(|it| &it[..]),
        )
    }

    /// Returns the rows, in the order in which they appeared. `uses` is the result of [`uses`](Self::uses).
    pub fn into_facts(self, rows: Rows, uses: &[Use], ns_per_pair: Option<f64>) -> Vec<Facts> {
        let rows = rows.rows.into_iter().zip(uses);
        rows.map(|(row, &used_as)| self.facts(row, used_as, ns_per_pair))
            .collect()
    }

    /// Returns the first place that took a lock, out to the program's own call if that is known.
    fn first_site(&self, row: &Row) -> Vec<Frame> {
        let calls = row.identity.birth(&self.births);
        if calls.first() == Some(&row.first_site)
            && !row.identity.is_initialised(&self.births)
            && self.sites.is_wrapper(row.first_site)
            && let Some(program) = calls.iter().position(|&site| !self.sites.is_wrapper(site))
        {
            return self.sites.stack(&calls[..=program]);
        }
        self.sites.frames(row.first_site).to_vec()
    }

    fn facts(&self, row: Row, used_as: Use, ns_per_pair: Option<f64>) -> Facts {
        let identity = row.identity;
        let asked = callers::asked(&row, &self.sites, &self.stacks);
        let sums = &row.sums;
        let holds = row.holds.as_deref();
        let shorter = |holds: &Holds| holds.shorter_than(ns_per_pair, sums.acquisitions);
        Facts {
            kind: identity.kind,
            used_as,
            posted: identity.is_posted(),
            origin: identity.origin(self.places()),
            first_site: self.first_site(&row),
            instances: row.instances,
            calls: Some(sums.acquisitions),
            read_acquisitions: (identity.kind == LockKind::RwLock).then_some(row.reads),
            takers: row.takers.known(),
            try_failed: Some(sums.try_failed),
            wait_split: sums.wait_split(identity.kind),
            unended: row.unended.facts(&self.sites),
            hold_ns: holds.and_then(Holds::times),
            recorder_dominates: holds.is_some_and(shorter),
            while_held: holds.map(Holds::while_held),
            preemption: self.preemption(&row),
            wakes: wakes(sums, &row.calls),
            stacks: self.stack_waits(&row),
            blame: row.charges.settle(&asked, &self.sites, &self.stacks),
            sites: asked.into_iter().map(|at| self.site(at)).collect(),
            waits: row.sums.waits,
            members: row.members,
            woken_by: Vec::new(),
            futex: None,
            anchors: row.anchors.into_list(identity.array_bytes(&self.statics)),
            spun_words: row.spun_words,
            near_words: row.near_words,
        }
    }

    fn site(&self, at: Asked) -> Site {
        Site {
            frames: self.sites.stack(&at.calls),
            acquisitions: at.acquisitions,
            contended: at.contended,
            try_failed: Some(at.try_failed),
            wait_ns: at.wait_ns,
            wait_max_ns: at.wait_max_ns,
            hold_ns: at.hold_ns,
        }
    }

    fn stack_waits(&self, row: &Row) -> Vec<StackWaits> {
        let stacks = by_cost(row).into_iter();
        stacks
            .map(|(stack, (waits, wait_ns))| StackWaits {
                frames: self.sites.stack(self.stacks.calls(stack)),
                waits,
                wait_ns,
            })
            .collect()
    }

    /// Returns what is known of its holders: the kernel's figures where it watched, otherwise an estimate. The holder of a futex
    /// word is not seen.
    fn preemption(&self, row: &Row) -> Option<HolderPreemption> {
        let waited_ns = row.sums.waits.total_ns.saturating_add(row.unended.wait_ns);
        match (&row.preempted, row.holds.as_deref()) {
            (Some(preempted), _) => Some(preempted.shown(waited_ns, &self.sites)),
            (None, Some(_)) if row.watched => {
                Some(Preempted::default().shown(waited_ns, &self.sites))
            }
            (None, holds) => preempted::estimate(holds?),
        }
    }
}

fn wakes(sums: &Sums, calls: &Calls) -> Wakes {
    let calls = |entry| calls.of(entry);
    let wakes = [EntryPoint::Signal, EntryPoint::Release, EntryPoint::Post];
    Wakes {
        relock_ns: Some(sums.relock_ns),
        signals: Some(wakes.map(calls).into_iter().fold(0, u64::saturating_add)),
        broadcasts: Some(calls(EntryPoint::Broadcast)),
    }
}

/// Returns the stacks of a row, the most expensive first.
fn by_cost(row: &Row) -> Vec<(StackId, (u64, u64))> {
    let mut stacks: Vec<(StackId, (u64, u64))> = row
        .stacks
        .iter()
        .map(|(&stack, &waits)| (stack, waits))
        .collect();
    stacks.sort_by_key(|&(stack, (waits, wait_ns))| (Reverse((wait_ns, waits)), stack));
    stacks
}

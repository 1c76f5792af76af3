//! The rows of a profile while they are added up, from the records of all processes.

use std::collections::HashMap;

use locktoll_recording::layout::POOLED;
use locktoll_recording::reader::{Hold, Key};

use super::anchors::{Anchors, MadeIn};
use super::blame::Charges;
use super::holders::HeldAt;
use super::holds::Holds;
use super::identity::Identity;
use super::instances::{Crowds, Instance};
use super::part_view::PartView;
use super::pools::Pools;
use super::preempted::Preempted;
use super::sites::SiteId;
use super::stacks::StackId;
use super::statics::Spot;
use super::sums::Sums;
use super::takers::ByThread;
use super::unended::{Unended, WaitedFor};
use super::uses::{Calls, Wakers, reads, waits};
use crate::joiner::{Members, plus};
use locktoll_results::profile::{LockKind, Member};

/// All rows.
#[derive(Default)]
pub struct Rows {
    index: HashMap<Identity, usize>,
    /// Rows in the order in which they appeared.
    pub rows: Vec<Row>,
    /// Time waited for each row by each thread slot, by the part's position.
    pub slot_waits: HashMap<(usize, u32), HashMap<usize, u64>>,
    /// Words for which threads waited busily, whose locks are looked for.
    pub spun_words: Vec<(u32, u64)>,
    /// What threads were still waiting for at the end.
    pub waited_for: WaitedFor,
}

/// One lock, or all locks of one identity.
pub struct Row {
    /// The identity that they have in common.
    pub identity: Identity,
    /// Acquisitions and waits.
    pub sums: Sums,
    /// Calls by entry point.
    pub calls: Calls,
    /// Threads that wait at a futex word, and threads that wake.
    pub wakers: Wakers,
    /// Acquisitions by thread.
    pub takers: ByThread,
    /// Acquisitions shared with other readers.
    pub reads: u64,
    /// The number of locks.
    pub instances: u64,
    /// Waits that had not ended at the end.
    pub unended: Unended,
    /// The first place that took it.
    pub first_site: SiteId,
    /// By place.
    pub by_site: HashMap<SiteId, AtSite>,
    /// Waits and their time by stack.
    pub stacks: HashMap<StackId, (u64, u64)>,
    /// How the waiting is charged to holders.
    pub charges: Charges,
    /// Holds, if any was timed.
    pub holds: Option<Box<Holds>>,
    /// Holders that did not run, if the kernel saw any.
    pub preempted: Option<Box<Preempted>>,
    /// Whether the kernel watched for them in a process that has such a lock.
    pub watched: bool,
    /// The most expensive locks.
    pub members: Members,
    /// Where they can be found again.
    pub anchors: Anchors,
    /// Words in its locks for which threads waited busily.
    pub spun_words: Vec<(u32, u64)>,
    /// Such words next to its locks, with the distance from the lock.
    pub near_words: Vec<(u32, u64, i64)>,
}

/// The events at one place.
#[derive(Default)]
pub struct AtSite {
    /// Acquisitions and waits.
    pub sums: Sums,
    /// Estimated length of the holds that began there.
    pub hold_ns: Option<u64>,
}

impl Rows {
    /// Starts without rows. Locks that contain one of these words, as process and address, will be known.
    pub fn with_words(spun_words: Vec<(u32, u64)>) -> Self {
        Self {
            spun_words,
            ..Self::default()
        }
    }

    /// Adds the records of one process image. Returns the row of each of its locks, by the lock's index.
    pub fn add(
        &mut self,
        view: &PartView<'_>,
        crowds: &Crowds,
        made_in: &MadeIn<'_>,
    ) -> Vec<Option<usize>> {
        let mut waiting: HashMap<u64, Vec<usize>> = HashMap::new();
        for (position, thread) in view.part.threads.iter().enumerate() {
            if let Some(wait) = thread.waiting {
                waiting.entry(wait.lock_address).or_default().push(position);
            }
        }
        let instances = view.instances.list();
        let row_of: Vec<Option<usize>> = instances
            .iter()
            .map(|instance| self.row(view, instance, crowds))
            .collect();
        self.add_spun_words(view, &row_of);
        let held = self.add_holds(view, &row_of);
        for (number, instance) in instances.iter().enumerate() {
            if let Some(row) = row_of[number] {
                // Of several locks at one address, the last is the one that was there at the end.
                let next = instances.get(number + 1);
                let last = next.is_none_or(|next| next.address != instance.address);
                let waiters = last.then(|| waiting.remove(&instance.address)).flatten();
                for position in waiters.unwrap_or_default() {
                    let thread = &view.part.threads[position];
                    let site = view.site(thread.waiting.and_then(|wait| wait.site));
                    self.rows[row].unended.add(view, thread, site);
                    self.waited_for.add(view, position, row);
                }
                self.add_instance(view, made_in, instance, row, held.get(&number).copied());
            }
        }
        let row = |key: &Key| row_of[view.instances.find(key)?];
        for blame in &view.part.blames {
            if let Some(row) = row(&blame.key) {
                let waiter = view.site(blame.key.site);
                let stack = blame.holder_stack;
                let holder = blame.holder_site.map(|site| HeldAt {
                    site: view.site(Some(site)),
                    stack: stack.and_then(|stack| view.stacks.get(stack).copied()),
                });
                let charges = &mut self.rows[row].charges;
                charges.add(waiter, holder, blame.waits, blame.wait_ns);
            }
        }
        self.add_preemptions(view, &row_of);
        for wait in &view.part.stack_waits {
            let stack = wait.stack.and_then(|stack| view.stacks.get(stack));
            if let (Some(row), Some(&stack)) = (row(&wait.key), stack) {
                let (waits, wait_ns) = self.rows[row].stacks.entry(stack).or_default();
                plus(waits, wait.waits);
                plus(wait_ns, wait.wait_ns);
            }
        }
        row_of
    }

    /// Returns the row to which a lock belongs.
    fn row(&mut self, view: &PartView<'_>, instance: &Instance, crowds: &Crowds) -> Option<usize> {
        let identity = Identity::of(instance, crowds, || view.first_site(instance))?;
        let rows = &mut self.rows;
        let row = *self.index.entry(identity).or_insert_with(|| {
            rows.push(Row {
                identity,
                sums: Sums::default(),
                calls: Calls::default(),
                wakers: Wakers::default(),
                takers: ByThread::default(),
                reads: 0,
                instances: 0,
                unended: Unended::default(),
                first_site: view.first_site(instance),
                by_site: HashMap::new(),
                stacks: HashMap::new(),
                charges: Charges::default(),
                holds: None,
                preempted: None,
                watched: false,
                members: Members::default(),
                anchors: Anchors::default(),
                spun_words: Vec::new(),
                near_words: Vec::new(),
            });
            rows.len() - 1
        });
        Some(row)
    }

    fn add_instance(
        &mut self,
        view: &PartView<'_>,
        made_in: &MadeIn<'_>,
        instance: &Instance,
        number: usize,
        hold_ns: Option<u64>,
    ) {
        let row = &mut self.rows[number];
        plus(&mut row.instances, instance.stands_for);
        row.watched |= view.part.watch.is_some();
        let counts = view.instances.counts(view.part, instance);
        let from = counts.map(|count| (count.birth, count.site));
        let in_array = row.identity.offset_in_array(instance);
        row.anchors.add(
            (view.position, view.part),
            made_in,
            (instance, in_array),
            from,
        );
        let (mut acquisitions, mut contended, mut wait_ns) = (0, 0, 0);
        for count in view.instances.counts(view.part, instance) {
            row.calls.add(count.entry, count.acquisitions);
            if row.identity.kind == LockKind::Futex {
                let slot = (view.position, count.thread_slot);
                row.wakers.add(slot, count.entry, count.acquisitions);
            }
            if !waits(count.entry) {
                continue;
            }
            row.sums.add(count);
            row.takers.add(view, count);
            let at = row.by_site.entry(view.site(count.site)).or_default();
            at.sums.add(count);
            if reads(count.entry) {
                plus(&mut row.reads, count.acquisitions);
            }
            plus(&mut acquisitions, count.acquisitions);
            if let Some(waited) = &count.contention {
                plus(&mut contended, waited.contended);
                plus(&mut wait_ns, waited.wait_total_ns);
                let slot = (view.position, count.thread_slot);
                let by_row = self.slot_waits.entry(slot).or_default();
                plus(by_row.entry(number).or_default(), waited.wait_total_ns);
            }
        }
        if instance.stands_for > 1 || instance.address == POOLED {
            // The single locks are not known; in a pool of one lock, its address is not known either.
            return;
        }
        row.members.add(Member {
            pid: view.part.process.pid,
            address: instance.address,
            generation: instance.generation,
            offset: match instance.spot {
                Spot::Variable(_, offset) => Some(offset),
                _ => None,
            },
            acquisitions: (row.identity.kind != LockKind::Futex).then_some(acquisitions),
            contended,
            wait_ns,
            hold_ns,
        });
    }

    /// Adds the kernel's data about holders that did not run.
    fn add_preemptions(&mut self, view: &PartView<'_>, row_of: &[Option<usize>]) {
        let part = view.part;
        if part.preemptions.is_empty() && part.preempted_waits.is_empty() {
            return;
        }
        // A lock that has gone may be known only by its birth.
        let mut by_birth: HashMap<usize, usize> = HashMap::new();
        for (instance, row) in view.instances.list().iter().zip(row_of) {
            for count in view.instances.counts(part, instance) {
                if let (Some(birth), Some(row)) = (count.birth, *row) {
                    by_birth.entry(birth).or_insert(row);
                }
            }
        }
        let row = |key: &Key| match view.instances.find(key) {
            Some(instance) => row_of[instance],
            None => by_birth.get(&key.birth?).copied(),
        };
        for seen in &part.preemptions {
            if let Some(row) = row(&seen.key) {
                let site = view.site(seen.key.site);
                let preempted = self.rows[row].preempted.get_or_insert_default();
                preempted.add(seen, site);
            }
        }
        for wait in &part.preempted_waits {
            if let Some(row) = row(&wait.key) {
                let site = view.site(wait.key.site);
                let preempted = self.rows[row].preempted.get_or_insert_default();
                preempted.add_wait(part.process.pid, wait, site);
            }
        }
    }

    /// Adds the holds; returns those of single locks, by their index.
    fn add_holds(&mut self, view: &PartView<'_>, row_of: &[Option<usize>]) -> HashMap<usize, u64> {
        let mut by_instance: HashMap<usize, u64> = HashMap::new();
        let pools = if view.part.holds.iter().any(|hold| hold.key.is_pooled()) {
            Pools::of(view, row_of)
        } else {
            Pools::default()
        };
        for hold in &view.part.holds {
            let row = if hold.key.is_pooled() {
                pools.row(&hold.key)
            } else {
                let instance = view.instances.find(&hold.key);
                if let Some(instance) = instance {
                    let sum = by_instance.entry(instance).or_default();
                    plus(sum, hold.estimated_total_ns);
                }
                instance.and_then(|instance| row_of[instance])
            };
            if let Some(row) = row {
                self.rows[row].add_hold(hold, view.site(hold.key.site));
            }
        }
        by_instance
    }
}

impl Row {
    fn add_hold(&mut self, hold: &Hold, site: SiteId) {
        self.holds.get_or_insert_default().add(hold);
        let at = self.by_site.entry(site).or_default();
        // A hold that has only begun does not have a length yet.
        if hold.timed > 0 {
            plus(at.hold_ns.get_or_insert(0), hold.estimated_total_ns);
        }
    }
}

//! Sums of one row.

use std::collections::HashMap;

use super::calls::Site;
use super::identity::Identity;
use crate::futexes::gathered::{Owner, Preemption, Wait, Wake};
use crate::joiner::{Waits, add_log2, plus};
use locktoll_results::profile::{LockKind, OwnerField, Use};

/// The location of an object: its process and its address there.
pub type Object = (u32, u64);

/// The owner of a lock that nobody owns.
pub const NOBODY: (u32, u32) = (0, 0);

/// What distinguishes rows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The kind.
    pub kind: LockKind,
    /// What it is used for.
    pub used_as: Use,
    /// What its objects have in common.
    pub identity: Identity,
}

/// The sum of some waits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    /// Their number.
    pub waits: u64,
    /// Their total time, in nanoseconds.
    pub wait_ns: u64,
    /// The longest wait, in nanoseconds.
    pub max_ns: u64,
}

impl Sum {
    /// Adds the waits of an entry.
    pub fn add(&mut self, wait: &Wait) {
        plus(&mut self.waits, wait.waits());
        plus(&mut self.wait_ns, wait.total_ns);
        self.max_ns = self.max_ns.max(wait.max_ns);
    }
}

/// A wait that has not ended.
#[derive(Clone, Copy, Debug)]
pub struct GoesOn {
    /// The process.
    pub process: u32,
    /// The thread.
    pub thread: u32,
    /// The time so far, in nanoseconds.
    pub wait_ns: u64,
    /// The stack; zero if it is not known.
    pub stack: u32,
    /// The lock's owner when the wait began; zero if it is not known.
    pub owner: u32,
    /// The owner in the mutex's owner field, if it is not another thread of the process.
    pub owner_field: Option<OwnerField>,
}

/// All that is known of a row.
#[derive(Debug, Default)]
pub struct Row {
    /// All waits.
    pub waits: Waits,
    /// Of these: waits that were woken, were interrupted, failed; and calls that did not wait.
    pub woken: u64,
    pub interrupted: u64,
    pub failed: u64,
    pub again: u64,
    /// Calls that wake, those that found nobody waiting, threads woken; `None` if they cannot be distinguished from those of
    /// other rows.
    pub wakes: Option<[u64; 3]>,
    /// Waits by the object.
    pub objects: HashMap<Object, Sum>,
    /// Waits by the place that waits, with a stack that leads there.
    pub sites: HashMap<Site, (u32, Sum)>,
    /// Waits by stack.
    pub stacks: HashMap<u32, Sum>,
    /// Waits by the place that waits and the place that woke it, with a stack that leads to the latter.
    pub woken_by: HashMap<(Site, Site), (u32, Sum)>,
    /// Waits by process and thread that owned the lock meanwhile; [`NOBODY`] while no owner is known.
    pub owners: HashMap<(u32, u32), Sum>,
    /// Preemptions of owners while others waited, each counted once: their number, their total time, the longest, and a histogram
    /// by powers of two of their length.
    pub preempted: Sum,
    pub preempted_log2: Vec<u64>,
    /// The time that all waiters waited meanwhile, for waits whose owner was known.
    pub waited_meanwhile_ns: u64,
    pub owner_known: u64,
    /// Waits that have not ended.
    pub waiting: Vec<GoesOn>,
    /// Whether the objects belong to the threads, so that their number does not show the number of locks.
    pub of_threads: bool,
}

impl Row {
    /// Adds the waits of an entry, for an object, at a place, woken from another.
    pub fn add(&mut self, wait: &Wait, object: Object, site: Site, waker: Site) {
        let waits = &mut self.waits;
        for (sum, more) in [
            (&mut waits.contended, wait.waits()),
            (&mut waits.timed_out, wait.timed_out),
            (&mut waits.total_ns, wait.total_ns),
            (&mut waits.runnable_ns, wait.runnable_ns),
            (&mut self.woken, wait.woken),
            (&mut self.interrupted, wait.interrupted),
            (&mut self.failed, wait.failed),
            (&mut self.owner_known, wait.owner_known),
        ] {
            plus(sum, more);
        }
        waits.max_ns = waits.max_ns.max(Some(wait.max_ns));
        add_log2(&mut waits.log2, &wait.log2);
        self.objects.entry(object).or_default().add(wait);
        if wait.stack == 0 && wait.total_ns == 0 {
            // The threads were woken before they had left the processor: no stack was taken.
            return;
        }
        let at_site = self.sites.entry(site.clone()).or_default();
        at_site.0 = wait.stack;
        at_site.1.add(wait);
        self.stacks.entry(wait.stack).or_default().add(wait);
        let woken = self.woken_by.entry((site, waker)).or_default();
        woken.0 = wait.waker_stack;
        woken.1.add(wait);
    }

    /// Adds calls that wake.
    pub fn add_wake(&mut self, wake: &Wake) {
        let sums = self.wakes.get_or_insert_default();
        for (sum, more) in sums.iter_mut().zip([wake.calls, wake.empty, wake.woken]) {
            plus(sum, more);
        }
    }

    /// Adds waits for a thread that owned the lock.
    pub fn add_owner(&mut self, owner: &Owner) {
        let by = match owner.thread {
            0 => NOBODY,
            thread => (owner.process, thread),
        };
        let sum = self.owners.entry(by).or_default();
        plus(&mut sum.waits, owner.count);
        plus(&mut sum.wait_ns, owner.wait_ns);
    }

    /// Adds preemptions of owners.
    pub fn add_preemption(&mut self, seen: &Preemption) {
        plus(&mut self.preempted.waits, seen.count);
        plus(&mut self.preempted.wait_ns, seen.total_ns);
        plus(&mut self.waited_meanwhile_ns, seen.waited_ns);
        self.preempted.max_ns = self.preempted.max_ns.max(seen.max_ns);
        add_log2(&mut self.preempted_log2, &seen.log2);
    }
}

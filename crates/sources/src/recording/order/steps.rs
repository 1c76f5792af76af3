//! The steps of one process: a lock acquired while another is held.

use std::collections::{BTreeMap, HashMap};

use locktoll_recording::layout::{EntryPoint, LockKind, OrderEvent};
use locktoll_recording::reader::{HeldLock, Key, Order};

use super::found::RowsOf;
use super::threads::Threads;
use crate::joiner::plus;
use crate::recording::part_view::PartView;
use crate::recording::sites::SiteId;
use crate::recording::stacks::StackId;
use crate::recording::uses::reads;
use locktoll_results::profile::OrderMode;

/// One lock of a process: its address and its generation there.
pub type Lock = (u64, u32);

/// A lock of the graph: a row, which represents all locks of one origin. Semaphores are distinguished, since an interpreter
/// creates all locks of its programs as semaphores in one place.
pub type Node = (usize, Option<Lock>);

/// What distinguishes a step.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepKey {
    /// The lock that is held.
    pub held: Node,
    /// The lock that is acquired.
    pub acquired: Node,
    /// Where the first was acquired.
    pub held_site: SiteId,
    /// Where the second is acquired.
    pub acquired_site: SiteId,
    /// How the first is held.
    pub held_mode: OrderMode,
    /// How the second is acquired.
    pub acquired_mode: OrderMode,
    /// Whether the acquisition waits for as long as the lock is held.
    pub waits: bool,
    /// The other locks that the thread holds, and how.
    pub gates: BTreeMap<Node, OrderMode>,
    /// If both locks are of one row: which ones they are. `None` if they are not known, and for locks of two rows.
    pub locks: Option<(Lock, Lock)>,
}

/// One lock acquired while another is held.
#[derive(Clone, Debug)]
pub struct Step {
    /// What distinguishes it.
    pub key: StepKey,
    /// The calls that led to the first acquisition, if they were kept.
    pub held_stack: Option<StackId>,
    /// The calls that led to the second.
    pub acquired_stack: Option<StackId>,
    /// Whether a reader of the acquired lock waits while a writer waits.
    pub behind_writers: bool,
    /// Whether it could be judged: two locks of one row are known, or were always acquired in the order of their addresses.
    pub is_judged: bool,
    /// The threads that made it.
    pub threads: Threads,
    /// How often.
    pub count: u64,
}

/// The steps of one process.
#[derive(Default)]
pub struct Steps {
    /// The steps, in an order that is the same in every reading.
    pub steps: Vec<Step>,
    /// Steps in which a reader acquires the lock that it holds, where it would wait behind a writer.
    pub again: Vec<Step>,
    /// Acquisitions that could not be judged.
    pub unjudged: u64,
}

impl Steps {
    /// Finds the steps of a process. `is_lock` says whether a row's locks exclude threads.
    pub fn of(view: &PartView<'_>, rows: &RowsOf, is_lock: impl Fn(usize) -> bool) -> Self {
        let mut made: HashMap<(bool, StepKey), Step> = HashMap::new();
        let mut unjudged = 0;
        let orders = view.part.orders.iter();
        for order in orders.filter(|it| it.event == OrderEvent::Acquisition) {
            let Some(context) = Context::of(order, view, rows, &is_lock) else {
                continue;
            };
            if context.lacks_gates {
                plus(&mut unjudged, order.times);
                continue;
            }
            for (is_again, step) in context.steps(view) {
                if step.is_judged {
                    add(&mut made, is_again, step);
                } else {
                    plus(&mut unjudged, step.count);
                }
            }
        }
        let mut found: Vec<((bool, StepKey), Step)> = made.into_iter().collect();
        found.sort_by(|(one, _), (other, _)| one.cmp(other));
        let (again, steps): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|((again, _), _)| *again);
        let only =
            |list: Vec<((bool, StepKey), Step)>| list.into_iter().map(|(_, it)| it).collect();
        Self {
            steps: only(steps),
            again: only(again),
            unjudged,
        }
    }
}

fn add(made: &mut HashMap<(bool, StepKey), Step>, is_again: bool, step: Step) {
    let key = (is_again, step.key.clone());
    match made.get_mut(&key) {
        Some(known) => {
            known.held_stack = known.held_stack.or(step.held_stack);
            known.acquired_stack = known.acquired_stack.or(step.acquired_stack);
            known.behind_writers |= step.behind_writers;
            known.threads.add(&step.threads);
            plus(&mut known.count, step.count);
        }
        None => {
            made.insert(key, step);
        }
    }
}

/// A context, in terms of rows.
struct Context<'o> {
    order: &'o Order,
    acquired: &'o Key,
    acquired_node: Node,
    held: Vec<(Node, &'o HeldLock)>,
    /// Whether not all held locks are known.
    lacks_gates: bool,
}

impl<'o> Context<'o> {
    fn of(
        order: &'o Order,
        view: &PartView<'_>,
        rows: &RowsOf,
        is_lock: impl Fn(usize) -> bool,
    ) -> Option<Self> {
        let acquired = order.acquired.as_ref()?;
        let node = |key: &Key| node(view, rows, key, &is_lock);
        let acquired_node = node(acquired)?;
        let held = order.held.iter();
        let held: Vec<(Node, &HeldLock)> = held
            .filter_map(|held| Some((node(&held.key)?, held)))
            .collect();
        Some(Self {
            order,
            acquired,
            acquired_node,
            held,
            lacks_gates: order.held_locks as usize > order.held.len(),
        })
    }

    fn steps(&self, view: &PartView<'_>) -> Vec<(bool, Step)> {
        let acquired_mode = mode(self.acquired);
        let same = |it: &&(Node, &HeldLock)| is_same(&it.1.key, self.acquired);
        if let Some(again) = self.held.iter().find(same) {
            // The thread has the lock already. It waits for no thread, except as a reader behind a writer.
            let is_shared = acquired_mode == OrderMode::Shared
                && mode(&again.1.key) == OrderMode::Shared
                && self.order.prefers_writers
                && waits(self.acquired.entry);
            let step = is_shared.then(|| (true, self.step(view, again)));
            return step.into_iter().collect();
        }
        let all = self.held.iter();
        all.map(|held| (false, self.step(view, held))).collect()
    }

    fn step(&self, view: &PartView<'_>, (node, held): &(Node, &HeldLock)) -> Step {
        let mut gates = BTreeMap::new();
        for (other, it) in &self.held {
            if other == node || *other == self.acquired_node {
                continue;
            }
            let known = gates.entry(*other).or_insert_with(|| mode(&it.key));
            // A lock held for writing excludes more.
            *known = (*known).min(mode(&it.key));
        }
        let stack = |stack: Option<usize>| stack.and_then(|it| view.stacks.get(it).copied());
        let is_one_row = *node == self.acquired_node;
        let locks = is_one_row.then(|| self.pair(held)).flatten();
        Step {
            key: StepKey {
                held: *node,
                acquired: self.acquired_node,
                held_site: view.site(held.key.site),
                acquired_site: view.site(self.order.site),
                held_mode: mode(&held.key),
                acquired_mode: mode(self.acquired),
                waits: waits(self.acquired.entry),
                gates,
                locks,
            },
            held_stack: stack(held.stack),
            acquired_stack: stack(self.order.stack),
            behind_writers: self.order.prefers_writers,
            is_judged: !is_one_row || locks.is_some() || held.upwards != held.downwards,
            threads: Threads::of(self.order),
            count: self.order.times,
        }
    }

    /// Returns the two locks of one row, unless they are known by their births alone.
    fn pair(&self, held: &HeldLock) -> Option<(Lock, Lock)> {
        let lock = |key: &Key| (key.lock_address, key.generation);
        let are_known = !held.key.is_pooled() && !self.acquired.is_pooled();
        are_known.then(|| (lock(&held.key), lock(self.acquired)))
    }
}

/// Returns the node of a record's lock; `None` if it does not exclude threads. A unit of a semaphore that other threads return is
/// not held by its taker.
pub fn node(
    view: &PartView<'_>,
    rows: &RowsOf,
    key: &Key,
    is_lock: impl Fn(usize) -> bool,
) -> Option<Node> {
    let row = rows.find(view, key)?;
    if key.kind != LockKind::Semaphore {
        return is_lock(row).then_some((row, None));
    }
    let lock = (key.lock_address, key.generation);
    rows.is_returned_by_takers(view, key)
        .then_some((row, Some(lock)))
}

fn mode(key: &Key) -> OrderMode {
    match reads(key.entry) {
        true => OrderMode::Shared,
        false => OrderMode::Exclusive,
    }
}

/// Whether an acquisition by this function waits for as long as the lock is held.
fn waits(entry: EntryPoint) -> bool {
    use EntryPoint as E;
    !matches!(
        entry,
        E::TryLock | E::TryReadLock | E::TimedLock | E::TimedReadLock
    )
}

fn is_same(one: &Key, other: &Key) -> bool {
    let lock = |key: &Key| (key.lock_address, key.generation, key.kind);
    !one.is_pooled() && lock(one) == lock(other)
}

/// Whether two threads in the middle of these steps would hold a lock that excludes one of them.
pub fn exclude_each_other(one: &StepKey, other: &StepKey) -> bool {
    let is_shared = |a: OrderMode, b: OrderMode| a == OrderMode::Shared && b == OrderMode::Shared;
    let gate = |of: &StepKey, node: Node, mode: OrderMode| {
        of.gates.get(&node).is_some_and(|&it| !is_shared(it, mode))
    };
    one.gates
        .iter()
        .any(|(&node, &mode)| gate(other, node, mode))
        || gate(one, other.held, other.held_mode)
        || gate(other, one.held, one.held_mode)
}

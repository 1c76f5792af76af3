//! The order in which threads acquire locks while they hold others, and the deadlocks that it makes possible.

use serde::{Deserialize, Serialize};

use super::frame::Frame;

/// The order of locks. `L` is how a lock is named: by its id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct LockOrder<L = String> {
    /// Which locks were acquired while which others were held, by place. Those of cycles come first, then the most frequent.
    pub edges: Vec<OrderEdge<L>>,
    /// Orders that can end in a deadlock, the shortest first.
    pub cycles: Vec<OrderCycle<L>>,
    /// Other events while locks were held that can end in a deadlock.
    pub unusual: Vec<HeldDuring<L>>,
    /// Edges that were left out of `edges`.
    pub more_edges: u64,
    /// Acquisitions whose order is not known, because there was no room for it.
    pub dropped: u64,
    /// Acquisitions whose order could not be judged: more locks were held than are kept, or there were too many locks of one row
    /// to keep each.
    pub unjudged: u64,
}

/// One lock acquired while another was held, at one pair of places.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct OrderEdge<L = String> {
    /// The id of the lock that was held.
    pub held: L,
    /// The id of the lock that was acquired.
    pub acquired: L,
    /// Where the first was acquired, innermost frame first, out to the program's own call if that is known.
    pub held_site: Vec<Frame>,
    /// Where the second was acquired.
    pub acquired_site: Vec<Frame>,
    /// The calls that led to the first acquisition, innermost first; empty if they were not kept.
    pub held_stack: Vec<Frame>,
    /// The calls that led to the second acquisition.
    pub acquired_stack: Vec<Frame>,
    /// How the first was held.
    pub held_mode: OrderMode,
    /// How the second was acquired.
    pub acquired_mode: OrderMode,
    /// Whether the second acquisition waits for as long as the lock is held. An attempt does not, and one with a deadline waits no
    /// longer than that, so they are in no cycle.
    pub waits: bool,
    /// Other locks that were held at every such acquisition.
    pub gates: Vec<L>,
    /// How often.
    pub count: u64,
    /// How many threads.
    pub threads: u64,
}

/// How a lock is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum OrderMode {
    /// By one thread alone.
    Exclusive,
    /// By readers together.
    Shared,
}

/// Edges that lead from lock to lock and back to the first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct OrderCycle<L = String> {
    /// What is wrong.
    pub kind: OrderCycleKind,
    /// The ids of the locks, in the order of the edges: each edge leads from a lock to the next, and the last one to the first. Locks
    /// of one row have the same id.
    pub locks: Vec<L>,
    /// Indices into [`LockOrder::edges`].
    pub edges: Vec<usize>,
}

/// What is wrong with a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum OrderCycleKind {
    /// Threads acquire the locks in different orders.
    Inversion,
    /// A thread acquires a lock for reading that it holds for reading already, and the lock makes readers wait behind a waiting
    /// writer.
    ReaderAgain,
}

/// Something that was done while locks were held.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct HeldDuring<L = String> {
    /// What was done.
    pub kind: UnusualKind,
    /// The ids of the held locks, in the order of their acquisition.
    pub held: Vec<L>,
    /// Where each was acquired.
    pub held_sites: Vec<Vec<Frame>>,
    /// The id of the condition that was waited for; `null` otherwise.
    pub condition: Option<L>,
    /// Where it was done; empty if not known.
    pub site: Vec<Frame>,
    /// The calls that led there, innermost first; empty if they were not kept.
    pub stack: Vec<Frame>,
    /// How often.
    pub count: u64,
}

/// What a thread did while it held locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum UnusualKind {
    /// It waited for a condition, which releases only the mutex of the condition.
    WaitedForCondition,
    /// Another thread forked the process, and the child used locks: these locks stay held in the child.
    Forked,
    /// It ended.
    Ended,
}

impl<L> LockOrder<L> {
    /// Returns the same with locks named by `name`.
    pub fn named<M>(self, mut name: impl FnMut(L) -> M) -> LockOrder<M> {
        let edges = self.edges.into_iter().map(|it| OrderEdge {
            held: name(it.held),
            acquired: name(it.acquired),
            held_site: it.held_site,
            acquired_site: it.acquired_site,
            held_stack: it.held_stack,
            acquired_stack: it.acquired_stack,
            held_mode: it.held_mode,
            acquired_mode: it.acquired_mode,
            waits: it.waits,
            gates: it.gates.into_iter().map(&mut name).collect(),
            count: it.count,
            threads: it.threads,
        });
        let edges = edges.collect();
        let cycles = self.cycles.into_iter().map(|it| OrderCycle {
            kind: it.kind,
            locks: it.locks.into_iter().map(&mut name).collect(),
            edges: it.edges,
        });
        let cycles = cycles.collect();
        let unusual = self.unusual.into_iter().map(|it| HeldDuring {
            kind: it.kind,
            held: it.held.into_iter().map(&mut name).collect(),
            held_sites: it.held_sites,
            condition: it.condition.map(&mut name),
            site: it.site,
            stack: it.stack,
            count: it.count,
        });
        LockOrder {
            edges,
            cycles,
            unusual: unusual.collect(),
            more_edges: self.more_edges,
            dropped: self.dropped,
            unjudged: self.unjudged,
        }
    }
}

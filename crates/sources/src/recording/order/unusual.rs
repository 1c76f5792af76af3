//! Other events while locks are held.

use std::collections::BTreeMap;

use locktoll_recording::layout::{OrderEvent, Origin};
use locktoll_recording::reader::{Key, Order, Part};

use super::found::RowsOf;
use super::steps::node;
use crate::joiner::plus;
use crate::recording::part_view::PartView;
use crate::recording::sites::SiteId;
use crate::recording::stacks::StackId;
use locktoll_results::profile::UnusualKind;

/// What distinguishes an event.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnusualKey {
    /// What was done.
    pub kind: UnusualKind,
    /// The rows of the held locks, and where they were acquired.
    pub held: Vec<(usize, SiteId)>,
    /// The row of the condition.
    pub condition: Option<usize>,
    /// Where it was done.
    pub site: SiteId,
}

/// Events, with the stack of one of them and their number.
pub type Unusual = BTreeMap<UnusualKey, (Option<StackId>, u64)>;

/// Adds the events of a process. `parts` are all of the recording, since a fork matters only if the child used locks.
pub fn add(
    events: &mut Unusual,
    view: &PartView<'_>,
    rows: &RowsOf,
    parts: &[&Part],
    is_lock: impl Fn(usize) -> bool,
) {
    for order in &view.part.orders {
        let kind = match order.event {
            OrderEvent::ConditionWait => UnusualKind::WaitedForCondition,
            OrderEvent::Fork if parts.iter().any(|it| is_busy_child(view.part, it)) => {
                UnusualKind::Forked
            }
            OrderEvent::ThreadEnd => UnusualKind::Ended,
            _ => continue,
        };
        let row = |key: &Key| rows.find(view, key);
        let held = order.held.iter().filter_map(|held| {
            // Interpreters wait for conditions of their own while their programs hold locks made of semaphores.
            let (row, semaphore) = node(view, rows, &held.key, &is_lock)?;
            semaphore.is_none().then(|| (row, view.site(held.key.site)))
        });
        let held: Vec<(usize, SiteId)> = held.collect();
        if held.is_empty() {
            continue;
        }
        let key = UnusualKey {
            kind,
            held,
            condition: order.acquired.as_ref().and_then(row),
            site: view.site(order.site),
        };
        let (stack, count) = events.entry(key).or_default();
        *stack = stack.or(stack_of(order, view));
        plus(count, order.times);
    }
}

fn stack_of(order: &Order, view: &PartView<'_>) -> Option<StackId> {
    order.stack.and_then(|it| view.stacks.get(it).copied())
}

/// Whether `child` was forked off from `part` and used locks. One that only executes another program does not.
fn is_busy_child(part: &Part, child: &Part) -> bool {
    child.process.origin == Some(Origin::Fork)
        && child.process.parent_pid == part.process.pid
        && child.counts.iter().any(|count| count.acquisitions > 0)
}

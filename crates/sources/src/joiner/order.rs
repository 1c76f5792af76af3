//! The order: the most expensive first. Equal costs stay in the order of the source.

use std::cmp::Reverse;

use locktoll_results::profile::{Blame, Lock, Site, StackWaits, WokenBy};

/// Sorts locks; by id if the cost is the same.
pub fn locks(locks: &mut [Lock]) {
    locks.sort_by(|a, b| cost(b).cmp(&cost(a)).then_with(|| a.id.cmp(&b.id)));
}

/// Returns the figures by which a lock is ordered. Waits for locks that did not end count like those that did. Signals come after
/// the locks that were waited for, and before locks that never were.
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

/// Sorts the places of a lock.
pub fn sites(mut sites: Vec<Site>) -> Vec<Site> {
    sites.sort_by_key(|it| Reverse([it.wait_ns, it.contended, it.acquisitions.unwrap_or(0)]));
    sites
}

/// Sorts its stacks.
pub fn stacks(mut stacks: Vec<StackWaits>) -> Vec<StackWaits> {
    stacks.sort_by_key(|it| Reverse((it.wait_ns, it.waits)));
    stacks
}

/// Sorts its blame.
pub fn blame(mut blame: Vec<Blame>) -> Vec<Blame> {
    blame.sort_by_key(|it| Reverse((it.wait_ns, it.count)));
    blame
}

/// Sorts the pairs of waiters and wakers.
pub fn woken_by(mut woken_by: Vec<WokenBy>) -> Vec<WokenBy> {
    woken_by.sort_by_key(|it| Reverse((it.wait_ns, it.count)));
    woken_by
}

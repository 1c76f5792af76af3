//! The order: the most expensive first. Equal costs stay in the order of the source.

use std::cmp::Reverse;

use locktoll_results::profile::{Blame, Lock, Site, StackWaits, WokenBy};

/// Locks; by id where the cost is the same.
pub fn locks(locks: &mut [Lock]) {
    locks.sort_by(|a, b| cost(b).cmp(&cost(a)).then_with(|| a.id.cmp(&b.id)));
}

/// What a lock is ordered by; of locks, waits that did not end are as dear as those that did. Signals come after the
/// locks that were waited for, and before those that never were.
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

/// The places of a lock.
pub fn sites(mut sites: Vec<Site>) -> Vec<Site> {
    sites.sort_by_key(|it| Reverse([it.wait_ns, it.contended, it.acquisitions.unwrap_or(0)]));
    sites
}

/// Its stacks.
pub fn stacks(mut stacks: Vec<StackWaits>) -> Vec<StackWaits> {
    stacks.sort_by_key(|it| Reverse((it.wait_ns, it.waits)));
    stacks
}

/// Its blame.
pub fn blame(mut blame: Vec<Blame>) -> Vec<Blame> {
    blame.sort_by_key(|it| Reverse((it.wait_ns, it.count)));
    blame
}

/// Who woke whom.
pub fn woken_by(mut woken_by: Vec<WokenBy>) -> Vec<WokenBy> {
    woken_by.sort_by_key(|it| Reverse((it.wait_ns, it.count)));
    woken_by
}

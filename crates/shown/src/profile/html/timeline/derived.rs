//! Figures of waits that the page finds in other intervals, so that they need not be in its columns.

use super::interval::{Interval, Kind};
use super::sorted::Sorted;
use locktoll_results::profile::timeline::Index;

/// The number of intervals that are looked at in a search backwards. The page's script searches as far (`assets/timeline/find.js`).
const BACK: usize = 64;

/// Returns when the lock was released to a thread that waited, as the page finds it: the end of the last hold of the thread
/// that released it, or its last signal; or the end of the wait, if neither is found.
pub fn released_ns(all: &Sorted<'_>, wait: &Interval) -> Option<u64> {
    let from = wait.from.get()?;
    let hold = last_before(all, from, wait.lock, wait.end_ns, |it| {
        it.end_ns <= wait.end_ns
    });
    Some(hold.map_or(wait.end_ns, |it| it.end_ns))
}

/// Returns where the holder had acquired the lock, as the page finds it.
pub fn holder_place(all: &Sorted<'_>, wait: &Interval) -> Index {
    let hold = wait.holder.get().and_then(|holder| {
        last_before(all, holder, wait.lock, wait.begin_ns, |it| {
            it.end_ns >= wait.begin_ns
        })
    });
    hold.map_or(Index::NONE, |it| it.stack)
}

/// Returns the last hold of a lock that a thread began by a time, or signal of it, for which `fits` is true.
fn last_before(
    all: &Sorted<'_>,
    thread: usize,
    lock: u32,
    ns: u64,
    fits: impl Fn(&Interval) -> bool,
) -> Option<Interval> {
    let rows = &all.rows[all.first[thread]..all.first[thread + 1]];
    let until = rows.partition_point(|row| row.begin_ns(all.of) <= ns);
    rows[..until]
        .iter()
        .rev()
        .take(BACK)
        .map(|row| row.interval(all.of))
        .find(|it| it.lock == lock && matches!(it.kind, Kind::Hold | Kind::Signal) && fits(it))
}

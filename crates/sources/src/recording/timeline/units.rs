//! Units of semaphores, which are holds only if the thread that took a unit returns it.

use std::collections::HashMap;

use locktoll_results::profile::timeline::{HoldFlags, Timeline};
use locktoll_results::profile::{LockKind, Use};

/// Leaves out the units that are not holds: those of semaphores that are used as signals, and those that another thread returned.
/// The thread that took such a unit has no event for its end.
pub fn leave_out_events(timeline: &mut Timeline) {
    let locks = &timeline.locks;
    let is_semaphore: Vec<bool> = locks
        .iter()
        .map(|it| it.kind == LockKind::Semaphore)
        .collect();
    if !is_semaphore.contains(&true) {
        return;
    }
    let is_signal: Vec<bool> = locks.iter().map(|it| it.used_as == Use::Signal).collect();
    // A unit that the thread still has is the last one that it took.
    let mut last: HashMap<(u32, u32), u64> = HashMap::new();
    for hold in timeline.holds.iter() {
        if is_semaphore[hold.lock as usize] {
            let begin_ns = last.entry((hold.thread, hold.lock)).or_default();
            *begin_ns = hold.begin_ns.max(*begin_ns);
        }
    }
    timeline.holds.retain(|hold| {
        let lock = hold.lock as usize;
        let is_last = || last.get(&(hold.thread, hold.lock)) == Some(&hold.begin_ns);
        !is_semaphore[lock]
            || !is_signal[lock] && (!hold.flags.has(HoldFlags::UNFINISHED) || is_last())
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_results::profile::timeline::{Hold, Index, TimelineLock};

    #[test]
    fn a_unit_is_a_hold_if_its_thread_returns_it_or_still_has_it() {
        let lock = |kind, used_as| TimelineLock {
            id: String::new(),
            name: String::new(),
            kind,
            used_as,
            pid: 1,
            address: 0,
        };
        let mut timeline = Timeline {
            locks: vec![
                lock(LockKind::Semaphore, Use::Lock),
                lock(LockKind::Semaphore, Use::Signal),
                lock(LockKind::Mutex, Use::Lock),
            ],
            ..Timeline::default()
        };
        let unfinished = HoldFlags::UNFINISHED;
        for (lock, thread, begin_ns, flags) in [
            (0, 0, 10, HoldFlags::default()),
            // Another thread returned this unit.
            (0, 0, 20, unfinished),
            (0, 0, 30, unfinished),
            (0, 1, 15, unfinished),
            (1, 0, 40, HoldFlags::default()),
            (1, 0, 50, unfinished),
            (2, 0, 60, unfinished),
            (2, 0, 70, unfinished),
        ] {
            timeline.holds.push(Hold {
                thread,
                lock,
                begin_ns,
                end_ns: 100,
                place: Index::NONE,
                flags,
            });
        }
        leave_out_events(&mut timeline);
        assert_eq!(timeline.holds.begin_ns, [10, 30, 15, 60, 70]);
        assert_eq!(timeline.holds.flags.len(), 5);
    }
}

//! Which release or signal ended which wait, and the order of holds.

use locktoll_recording::layout::LockKind;
use locktoll_results::profile::timeline::{Hold, HoldFlags, Index, WaitEnd};

use super::decoded::Decoded;
use super::locks::FoundLock;

/// Clocks of two CPUs, and readings that an interruption has delayed, differ by no more than this. A hold that begins that much
/// before the end of the one before it is moved.
const MOST_MOVED_NS: u64 = 20_000;

/// Finds for each wait the release or signal that ended it. Holds are in the order of their beginnings.
pub fn join(decoded: &mut Decoded, locks: &[FoundLock]) {
    let releases = Moments::new(
        locks.len(),
        decoded
            .holds
            .iter()
            .filter(|hold| hold.flags.has(HoldFlags::AWAITED))
            .map(|hold| (hold.lock, (hold.end_ns, hold.thread))),
    );
    decoded.signals.sort_by_key(|it| it.at_ns);
    let signals = Moments::new(
        locks.len(),
        (0_u32..)
            .zip(&decoded.signals)
            .map(|(number, it)| (it.lock, (it.at_ns, number))),
    );
    for wait in &mut decoded.waits {
        if wait.end != WaitEnd::Done {
            wait.released_ns = 0;
            continue;
        }
        let is_signalled = matches!(
            locks.get(wait.lock as usize).map(|it| it.kind),
            Some(LockKind::Condvar | LockKind::Futex | LockKind::Semaphore)
        );
        let of_lock = releases.of(wait.lock);
        let released = match wait.released_ns {
            0 => last_in(of_lock, wait.begin_ns, wait.end_ns, |it| it != wait.thread),
            at => exactly(of_lock, at),
        };
        let signalled = || {
            let list = signals.of(wait.lock);
            let by_another = |it: u32| decoded.signals[it as usize].thread != wait.thread;
            last_in(list, wait.begin_ns, wait.end_ns, by_another)
        };
        (wait.released_by, wait.released_ns) = (Index::NONE, 0);
        if let Some((at_ns, thread)) = released {
            wait.released_by = Index::new(thread as usize);
            wait.released_ns = at_ns;
        } else if is_signalled && let Some((at_ns, number)) = signalled() {
            let signal = &mut decoded.signals[number as usize];
            signal.woken += 1;
            wait.released_by = Index::new(signal.thread as usize);
            wait.released_ns = at_ns;
        }
    }
}

/// Moments of each lock, in their order, each with what belongs to it.
struct Moments(Vec<Vec<(u64, u32)>>);

impl Moments {
    /// Sorts moments of `locks` locks.
    fn new(locks: usize, moments: impl Iterator<Item = (u32, (u64, u32))>) -> Self {
        let mut by_lock = vec![Vec::new(); locks];
        for (lock, moment) in moments {
            by_lock[lock as usize].push(moment);
        }
        for list in &mut by_lock {
            list.sort_unstable();
        }
        Self(by_lock)
    }

    /// Returns those of a lock.
    fn of(&self, lock: u32) -> &[(u64, u32)] {
        self.0.get(lock as usize).map_or(&[], Vec::as_slice)
    }
}

/// Returns the moment at exactly this time.
fn exactly(list: &[(u64, u32)], at_ns: u64) -> Option<(u64, u32)> {
    let first = list.partition_point(|it| it.0 < at_ns);
    list.get(first).copied().filter(|it| it.0 == at_ns)
}

/// Returns the last moment between two times that is one of those wanted.
fn last_in(
    list: &[(u64, u32)],
    from_ns: u64,
    to_ns: u64,
    wanted: impl Fn(u32) -> bool,
) -> Option<(u64, u32)> {
    let end = list.partition_point(|it| it.0 <= to_ns);
    let before = list[..end].iter().rev();
    before
        .take_while(|it| it.0 >= from_ns)
        .find(|it| wanted(it.1))
        .copied()
}

/// Puts holds in the order of their beginnings, and finds the beginnings that are not known.
pub fn order(decoded: &mut Decoded, locks: &[FoundLock]) {
    begin_with_the_first_waiter(decoded, locks.len());
    // Each thread's holds are almost in order already.
    decoded
        .holds
        .sort_by_key(|hold| (hold.begin_ns, hold.end_ns));
    // By lock: when its last hold ended, and the thread.
    let mut last = vec![(0_u64, 0_u32); locks.len()];
    let mut is_sorted = true;
    for hold in &mut decoded.holds {
        let kind = locks.get(hold.lock as usize).map(|it| it.kind);
        if hold.flags.has(HoldFlags::SHARED)
            || !matches!(kind, Some(LockKind::Mutex | LockKind::Spin))
        {
            continue;
        }
        let Some(last) = last.get_mut(hold.lock as usize) else {
            continue;
        };
        let (ended_ns, thread) = *last;
        let early_ns = ended_ns.saturating_sub(hold.begin_ns);
        let is_known = !hold.flags.has(HoldFlags::BEGAN_EARLIER);
        if early_ns > 0 && thread != hold.thread && (early_ns <= MOST_MOVED_NS || !is_known) {
            hold.begin_ns = ended_ns.min(hold.end_ns);
            is_sorted = false;
            if is_known {
                decoded.lost.moved += 1;
                decoded.lost.moved_ns = decoded.lost.moved_ns.max(early_ns);
            }
        }
        if hold.end_ns >= ended_ns {
            *last = (hold.end_ns, hold.thread);
        }
    }
    if !is_sorted {
        decoded.holds.sort_by_key(|hold| hold.begin_ns);
    }
}

/// Lets a hold whose beginning is not known begin with the first wait that began during the hold.
fn begin_with_the_first_waiter(decoded: &mut Decoded, locks: usize) {
    let is_unknown = |hold: &Hold| hold.flags.has(HoldFlags::BEGAN_EARLIER);
    if !decoded.holds.iter().any(is_unknown) {
        return;
    }
    let waits = Moments::new(
        locks,
        decoded
            .waits
            .iter()
            .map(|wait| (wait.lock, (wait.begin_ns, wait.thread))),
    );
    let ends = Moments::new(
        locks,
        decoded
            .holds
            .iter()
            .map(|hold| (hold.lock, (hold.end_ns, hold.thread))),
    );
    for hold in decoded.holds.iter_mut().filter(|it| is_unknown(it)) {
        let list = ends.of(hold.lock);
        let end = list.partition_point(|it| it.0 < hold.end_ns);
        let from_ns = end.checked_sub(1).map_or(0, |last| list[last].0);
        let list = waits.of(hold.lock);
        let first = list.partition_point(|it| it.0 < from_ns);
        // If nobody began to wait since the last release, the lock may have been free until just before this release: the
        // beginning stays the end.
        if let Some(&(at_ns, _)) = list.get(first).filter(|it| it.0 <= hold.end_ns) {
            hold.begin_ns = at_ns;
        }
    }
}

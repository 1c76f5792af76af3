//! The processes from which this one was forked. With them, a child recognises a lock that was marked before the fork.
//!
//! A fork copies this memory. The recorder's memory is wiped instead.
//!
//! # Invariants
//!
//! - **L1** A process adds its entry once, holding the recorder's lock, before its hooks find the recorder on. No other thread
//!   reads the entries before that.

use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize};

/// The number of nearest processes that are kept. A process that takes a lock marks it anew, so its children know it by that
/// mark.
const KEPT: usize = 8;

static PROCESSES: [Entry; KEPT] = [const { Entry::new() }; KEPT];
/// The number of processes added so far.
static ADDED: AtomicUsize = AtomicUsize::new(0);

struct Entry {
    salt: AtomicU64,
    pid: AtomicU32,
    sequence: AtomicU32,
}

impl Entry {
    const fn new() -> Self {
        Self {
            salt: AtomicU64::new(0),
            pid: AtomicU32::new(0),
            sequence: AtomicU32::new(0),
        }
    }
}

/// A process that has recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ancestor {
    /// Its `Recorder::salt`.
    pub salt: u64,
    /// `Header::pid` of its part.
    pub pid: u32,
    /// `Header::sequence` of its part.
    pub sequence: u32,
}

/// Adds the calling process. If there is no room, it replaces the most distant one.
pub fn add(process: Ancestor) {
    // Relaxed throughout: L1.
    let added = ADDED.load(Relaxed);
    let entry = &PROCESSES[added % KEPT];
    entry.salt.store(process.salt, Relaxed);
    entry.pid.store(process.pid, Relaxed);
    entry.sequence.store(process.sequence, Relaxed);
    ADDED.store(added + 1, Relaxed);
}

/// Iterates over the processes that the calling process was forked from, the nearest first. The caller must have added itself.
pub fn ancestors() -> impl Iterator<Item = Ancestor> {
    // Relaxed throughout: L1; the recorder was found on with acquire.
    let own = ADDED.load(Relaxed).saturating_sub(1);
    let farthest = (own + 1).saturating_sub(KEPT);
    (farthest..own).rev().map(|number| {
        let entry = &PROCESSES[number % KEPT];
        Ancestor {
            salt: entry.salt.load(Relaxed),
            pid: entry.pid.load(Relaxed),
            sequence: entry.sequence.load(Relaxed),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_processes_are_kept_and_this_one_is_none_of_them() {
        let process = |number: u32| Ancestor {
            salt: u64::from(number) << 40,
            pid: number,
            sequence: number + 100,
        };
        assert_eq!(ancestors().count(), 0);
        add(process(1));
        assert_eq!(ancestors().count(), 0, "the process itself");
        add(process(2));
        add(process(3));
        assert_eq!(ancestors().collect::<Vec<_>>(), [process(2), process(1)]);
        for number in 4..=20 {
            add(process(number));
        }
        let nearest: Vec<u32> = ancestors().map(|it| it.pid).collect();
        assert_eq!(nearest, (13..20).rev().collect::<Vec<u32>>());
    }
}

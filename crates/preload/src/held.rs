//! The locks that a thread holds, in the order in which it acquired them.
//!
//! The owner pushes and pops by plain stores on its own cache lines. A thread that waits for one of the locks reads the list
//! of the holder, to learn at which site the holder acquired it. The list may be out of date. At worst, a wait is then charged
//! to the wrong site. With `--preemption`, a program in the kernel reads it too: see `preemption`.
//!
//! # Invariants
//!
//! - **L1** The records of the first `depth` entries are set, to records that stay mapped.
//! - **L2** Only the owner changes entries. A signal handler may interrupt it anywhere: `depth` is raised before an entry is
//!   written, so that the handler's own entries come above it, and are gone again when the handler returns.

use core::cell::Cell;
use core::mem::offset_of;
use core::ptr::{from_ref, null_mut};
use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicPtr, AtomicU32, compiler_fence};

use locktoll_recording::layout::{CountRecord, HELD_LISTED, HeldList};

use crate::chains::{Chained, step};
use crate::events::Mark;
use crate::place::Place;

/// The number of locks in the list. Further ones are counted, but nobody can see that they are held.
const HELD: usize = 64;

/// The offset in [`HeldLocks`] of the number of locks held.
pub const DEPTH: usize = offset_of!(HeldLocks, depth);

/// The locks that a thread holds.
#[repr(C)]
pub struct HeldLocks {
    depth: AtomicU32,
    /// The thread id of the owner, or zero. It tells an outside reader whose list this is by now.
    owner: AtomicU32,
    entries: [Entry; HELD],
    /// For each lock whose hold is timed: the number of the stack that acquired it, or zero.
    stacks: [Cell<u32>; HELD],
    /// For each lock but the first: the chain that ends with it. See `chains`.
    chains: [Cell<u64>; HELD],
    /// For each lock whose acquisition was examined for the order of locks: the count of its acquisitions then, and the stack.
    /// The entry is of an earlier acquisition unless the count is still the same.
    examined: [Cell<(u64, u32)>; HELD],
    /// For each lock whose hold is kept in the timeline: its beginning.
    kept: [Cell<Kept>; HELD],
}

/// The beginning of a hold that is kept in the timeline.
#[derive(Clone, Copy, Default)]
pub struct Kept {
    /// When it began, by `ticks` if there is a mark, and otherwise by the clock. Zero if the hold is not kept.
    pub begin: u64,
    /// Its event.
    pub mark: Mark,
}

// The program in the kernel knows these: see `preemption`.
const _: () = {
    assert!(offset_of!(HeldLocks, depth) == 0 && offset_of!(HeldLocks, owner) == 4);
    assert!(offset_of!(HeldLocks, entries) == 8 && size_of::<Entry>() == 16);
    assert!(offset_of!(Entry, count) == 0);
    // A watcher knows them too.
    assert!(offset_of!(HeldList, entries) == 8 && offset_of!(HeldList, owner) == 4);
    assert!(HELD == HELD_LISTED);
};

/// One held lock, in the order of acquisition.
#[repr(C)]
struct Entry {
    /// The record of the place where the lock was acquired.
    count: AtomicPtr<CountRecord>,
    /// The time of the acquisition, by `ticks`, if the hold is timed. Otherwise zero, or [`AWAITED`].
    since: Cell<u64>,
}

/// Used in place of a time. The hold is not timed, but its end needs extra work, since the rest of a wait is to be entered
/// then.
const AWAITED: u64 = 1;
/// Used in place of a time. The hold is not timed, but it is kept in the timeline.
const KEPT: u64 = 2;

/// A lock that has just been released.
#[derive(Clone, Copy)]
pub struct Released {
    pub count: &'static CountRecord,
    /// The time of the acquisition, by `ticks`, if the hold is timed. Otherwise zero.
    pub since: u64,
    /// The number of the stack that acquired the lock, or zero if that is not known.
    pub stack: u32,
}

impl Released {
    /// Returns the place where the lock was acquired.
    pub fn place(&self) -> Place {
        Place::new(self.count.site.load(Relaxed), self.stack)
    }
}

impl HeldLocks {
    /// Adds a lock that was just acquired, if the thread holds no other.
    #[inline(always)]
    pub fn push_first(&self, count: &'static CountRecord) -> bool {
        // Relaxed, here and below: L2.
        let is_first = self.depth.load(Relaxed) == 0;
        if is_first {
            self.put(0, count);
        }
        is_first
    }

    /// Adds a lock that was just acquired. Returns the chain that ends with it, or zero if it is the only one. Returns `None` if
    /// there is no room.
    #[inline(always)]
    pub fn push(&self, count: &'static CountRecord, by: Chained) -> Option<u64> {
        let depth = self.depth.load(Relaxed) as usize;
        if depth >= HELD {
            return None;
        }
        self.put(depth, count);
        if depth == 0 || by == Chained::Off {
            return Some(0);
        }
        let chain = self.chain_with(depth, count, by);
        self.chains[depth].set(chain);
        Some(chain)
    }

    /// Returns the chain of the first `depth` locks followed by `count`.
    #[inline(always)]
    pub fn chain_with(&self, depth: usize, count: &CountRecord, by: Chained) -> u64 {
        let below = depth.wrapping_sub(1) % HELD;
        // SAFETY: L1; null only while a push is interrupted.
        let under = unsafe { self.entries[below].count.load(Relaxed).as_ref() };
        let before = match (depth, under) {
            (1, Some(under)) => step(0, None, under, by),
            _ => self.chains[below].get(),
        };
        step(before, under, count, by)
    }

    #[inline(always)]
    fn put(&self, depth: usize, count: &'static CountRecord) {
        let entry = &self.entries[depth];
        self.depth.store(depth as u32 + 1, Relaxed);
        compiler_fence(core::sync::atomic::Ordering::SeqCst);
        entry.since.set(0);
        entry.count.store(from_ref(count).cast_mut(), Relaxed);
    }

    /// Notes the stack with which the lock pushed last was acquired.
    pub fn examined_last(&self, stack: u32) {
        let place = (self.depth.load(Relaxed) as usize).wrapping_sub(1);
        if let (Some(examined), Some(it)) = (self.examined.get(place), self.at(place)) {
            examined.set((it.count.acquisitions.load(Relaxed), stack));
        }
    }

    /// Returns the lock at `place`, counted from the oldest, and the stack with which it was acquired, or zero if that was not
    /// examined.
    pub fn examined(&self, place: usize) -> Option<(&'static CountRecord, u32)> {
        let count = self.at(place)?.count;
        let (acquisitions, stack) = self.examined[place].get();
        // Each acquisition of a record is its thread's, so the same number means the same acquisition.
        let is_this = acquisitions == count.acquisitions.load(Relaxed);
        Some((count, if is_this { stack } else { 0 }))
    }

    /// Notes that the hold of the lock pushed last is timed, and the number of the stack that acquired it, or zero.
    pub fn time_last(&self, since: u64, stack: u32) {
        let place = (self.depth.load(Relaxed) as usize).wrapping_sub(1);
        if let (Some(entry), Some(of_entry)) = (self.entries.get(place), self.stacks.get(place)) {
            of_entry.set(stack);
            entry.since.set(since);
        }
    }

    /// Notes that the rest of a wait for `lock` is to be entered after its release. Returns `false` if `lock` is not the one
    /// pushed last.
    pub fn await_end(&self, lock: usize) -> bool {
        let place = (self.depth.load(Relaxed) as usize).wrapping_sub(1);
        if !self.at(place).is_some_and(|it| is_of(it.count, lock)) {
            return false;
        }
        let entry = &self.entries[place];
        if matches!(entry.since.get(), 0 | KEPT) {
            entry.since.set(AWAITED);
        }
        true
    }

    /// Notes that the hold of the lock pushed last is kept in the timeline.
    #[inline(always)]
    pub fn keep_last(&self, kept: Kept) {
        let place = (self.depth.load(Relaxed) as usize).wrapping_sub(1);
        if let (Some(entry), Some(of_entry)) = (self.entries.get(place), self.kept.get(place)) {
            of_entry.set(kept);
            entry.since.set(KEPT);
        }
    }

    /// Notes the same of `lock` after a wait for it, if it was pushed last and is not a lock that the holder acquired again.
    pub fn keep_awaited(&self, lock: usize, kept: Kept) {
        if self.await_end(lock) {
            let place = (self.depth.load(Relaxed) as usize).wrapping_sub(1);
            self.kept[place].set(kept);
        }
    }

    /// Removes the lock pushed last, if it is `lock` and the end of its hold is only to be noted in the timeline.
    #[inline(always)]
    pub fn pop_kept(&self, lock: usize) -> Option<(&'static CountRecord, Kept)> {
        let place = (self.depth.load(Relaxed) as usize).wrapping_sub(1);
        let entry = self.entries.get(place)?;
        if entry.since.get() != KEPT {
            return None;
        }
        // SAFETY: L1; null only while a push is interrupted.
        let count = unsafe { entry.count.load(Relaxed).as_ref() }?;
        if !is_of(count, lock) {
            return None;
        }
        self.depth.store(place as u32, Relaxed);
        Some((count, self.kept[place].take()))
    }

    /// Removes the lock pushed last, if it is `lock` and nothing is to be noted at the end of its hold.
    #[inline(always)]
    pub fn pop_untimed(&self, lock: usize) -> bool {
        let depth = self.depth.load(Relaxed) as usize;
        let Some(entry) = self.entries.get(depth.wrapping_sub(1)) else {
            return false;
        };
        // SAFETY: L1; null only while a push is interrupted.
        let Some(count) = (unsafe { entry.count.load(Relaxed).as_ref() }) else {
            return false;
        };
        if count.lock.load(Relaxed) != lock as u64 || entry.since.get() != 0 {
            return false;
        }
        self.depth.store(depth as u32 - 1, Relaxed);
        true
    }

    /// Removes the most recent entry of `lock`, wherever it is.
    pub fn remove(&self, lock: usize) -> Option<Released> {
        let depth = (self.depth.load(Relaxed) as usize).min(HELD);
        for place in (0..depth).rev() {
            if let Some(released) = self.at(place).filter(|it| is_of(it.count, lock)) {
                self.take_away(place, depth);
                return Some(released);
            }
        }
        None
    }

    /// Does the same. Returns the beginning of its hold in the timeline too.
    pub fn remove_kept(&self, lock: usize) -> Option<(Released, Kept)> {
        let depth = (self.depth.load(Relaxed) as usize).min(HELD);
        (0..depth).rev().find_map(|place| {
            let released = self.at(place).filter(|it| is_of(it.count, lock))?;
            let kept = self.kept[place].get();
            if kept.begin != 0 {
                self.kept[place].set(Kept::default());
            }
            self.take_away(place, depth);
            Some((released, kept))
        })
    }

    #[inline(always)]
    pub fn depth(&self) -> u32 {
        self.depth.load(Relaxed)
    }

    /// Removes the oldest entry for which `stale` returns true, to make room. Returns `false` if there is none.
    pub fn drop_stale(&self, stale: impl Fn(&CountRecord) -> bool) -> bool {
        let depth = (self.depth.load(Relaxed) as usize).min(HELD);
        let found = (0..depth).find(|&place| self.at(place).is_some_and(|it| stale(it.count)));
        if let Some(place) = found {
            self.take_away(place, depth);
        }
        found.is_some()
    }

    /// Removes the entry at `place`, out of `depth` entries.
    fn take_away(&self, place: usize, depth: usize) {
        if place + 1 < depth {
            self.close_up(place, depth);
        }
        self.depth.store(depth as u32 - 1, Relaxed);
    }

    /// Moves the entries above `place` down by one, out of `depth` entries.
    fn close_up(&self, place: usize, depth: usize) {
        for later in place + 1..depth {
            let (to, from) = (&self.entries[later - 1], &self.entries[later]);
            to.since.set(from.since.get());
            self.stacks[later - 1].set(self.stacks[later].get());
            self.kept[later - 1].set(self.kept[later].take());
            self.examined[later - 1].set(self.examined[later].get());
            to.count.store(from.count.load(Relaxed), Relaxed);
        }
        for later in place.max(1)..depth - 1 {
            if let Some(it) = self.at(later) {
                // A thread that chains in another way finds nothing under these numbers, and looks the records up again.
                let chain = self.chain_with(later, it.count, Chained::Locks);
                self.chains[later].set(chain);
            }
        }
    }

    /// Returns how often `lock`, which was pushed last, is held: more than once if its holder acquired it again.
    pub fn times_held(&self, lock: usize) -> usize {
        if self.depth.load(Relaxed) <= 1 {
            return 1;
        }
        self.iter().filter(|count| is_of(count, lock)).count()
    }

    /// Returns the place where the owner acquired `lock`. Any thread may call it.
    pub fn place_of(&self, lock: usize) -> Option<Place> {
        let depth = (self.depth.load(Relaxed) as usize).min(HELD);
        let held = (0..depth).rev().filter_map(|place| self.at(place));
        held.filter(|it| is_of(it.count, lock))
            .map(|it| it.place())
            .next()
    }

    /// Iterates over the held locks, the oldest first. Seen from another thread, the list may be out of date.
    pub fn iter(&self) -> impl Iterator<Item = &'static CountRecord> + '_ {
        let depth = (self.depth.load(Relaxed) as usize).min(HELD);
        (0..depth).filter_map(|place| self.at(place).map(|it| it.count))
    }

    /// Forgets everything: the slot now belongs to another thread.
    pub fn clear(&self) {
        self.depth.store(0, Relaxed);
        for (entry, kept) in self.entries.iter().zip(&self.kept) {
            entry.count.store(null_mut(), Relaxed);
            kept.set(Kept::default());
        }
    }

    /// Makes `tid` the owner of the list, or nobody if `tid` is zero.
    pub fn set_owner(&self, tid: u32) {
        // Relaxed: an outside reader looks only while the owner is not running.
        self.owner.store(tid, Relaxed);
    }

    fn at(&self, place: usize) -> Option<Released> {
        let entry = self.entries.get(place)?;
        // SAFETY: L1, or null.
        let count = unsafe { entry.count.load(Relaxed).as_ref() }?;
        let since = match entry.since.get() {
            ..=KEPT => 0,
            since => since,
        };
        Some(Released {
            count,
            since,
            stack: if since == 0 {
                0
            } else {
                self.stacks[place].get()
            },
        })
    }
}

fn is_of(count: &CountRecord, lock: usize) -> bool {
    count.lock.load(Relaxed) == lock as u64
}

#[cfg(test)]
mod tests;

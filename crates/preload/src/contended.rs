//! Locks for which threads wait, and the sites whose holders made them wait.
//!
//! While threads wait for a lock, each release charges the time since the last one to the site where the releasing thread had
//! acquired it. A waiter takes the charges when it begins to wait and when it has acquired the lock. The differences, scaled
//! to the length of its wait, are the parts of the wait that each site caused. So a wait that outlasts several holders is
//! divided among them by their hold times. (A holder that did not have to wait, and whose hold is not timed, is charged from
//! the last release on, since the time of its acquisition is not known.)
//!
//! # Invariants
//!
//! - **E1** An entry, once it has a lock, keeps it for the life of the process.
//! - **E2** Charges only grow. The thread that charges holds the lock, alone or with other readers.

use core::sync::atomic::Ordering::{Relaxed, SeqCst};
use core::sync::atomic::{AtomicU8, AtomicU32, AtomicU64};

use crate::place::Place;

/// The number of locks that can have charges. Waits for further locks are charged to the holder that was seen first.
const ENTRIES: usize = 1 << 14;
/// How far an entry may be from its home position.
const PROBES: usize = 32;
/// The number of holders' places that are kept apart for each lock. The last one is shared by all further places.
pub const PLACES: usize = 16;
/// At most this many of them may be places with a stack. Any further ones are kept apart by call site only.
const WITH_STACK: usize = 8;
/// The number of filters: see [`ContendedLocks::may_be_waited_for`].
const FILTERS: usize = 4096;

/// All locks that a thread has waited for. Valid when zeroed: then it has no entries.
pub struct ContendedLocks {
    entries: [Contended; ENTRIES],
    filters: [AtomicU8; FILTERS],
    /// Nonzero if any thread has ever waited for a lock that maps to this filter.
    ever: [AtomicU8; FILTERS],
}

/// A lock that a thread has waited for.
#[repr(C, align(64))]
pub struct Contended {
    lock: AtomicU64,
    /// The number of threads now waiting.
    waiters: AtomicU32,
    /// The place of the thread that last released the lock while somebody waited.
    released_by: AtomicU32,
    /// The time from which the present holder is to be charged.
    since_ns: AtomicU64,
    /// The time of that last release, or zero.
    released_ns: AtomicU64,
    /// The charges by place. A lock usually has few holders, and the first charges share a cache line with the fields above.
    charges: [Charge; PLACES],
}

#[repr(C)]
struct Charge {
    charged_ns: AtomicU64,
    /// A [`Place`], or zero if this entry is unused: then all later entries are zero too, except the last.
    place: AtomicU32,
    /// In the first charge: the number of waits for the lock that have begun or ended, while timelines are kept.
    turns: AtomicU32,
}

/// The charges at one moment.
#[derive(Clone, Copy, Default)]
pub struct Charges([u64; PLACES]);

impl Charges {
    /// Returns the charges added between `before` and these.
    pub fn since(&self, before: &Self) -> [u64; PLACES] {
        core::array::from_fn(|index| self.0[index].saturating_sub(before.0[index]))
    }
}

impl ContendedLocks {
    fn place(lock: usize) -> usize {
        (lock as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) as usize >> 50
    }

    fn filter(lock: usize) -> usize {
        (lock as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) as usize >> 52
    }

    /// Returns the entry of `lock`, if it has one.
    pub fn find(&self, lock: usize) -> Option<&Contended> {
        let first = Self::place(lock);
        for step in 0..PROBES {
            let entry = &self.entries[(first + step) % ENTRIES];
            // Relaxed: E1, and everything else in the entry is atomic by itself.
            match entry.lock.load(Relaxed) {
                0 => return None,
                found if found == lock as u64 => return Some(entry),
                _ => {}
            }
        }
        None
    }

    /// Returns the entry of `lock`, and makes one if there is none. Returns `None` if there is no room.
    pub fn entry(&self, lock: usize) -> Option<&Contended> {
        let first = Self::place(lock);
        for step in 0..PROBES {
            let entry = &self.entries[(first + step) % ENTRIES];
            // Relaxed: as in `find`. It is read before it is written, since every release while somebody waits comes here.
            let mut found = entry.lock.load(Relaxed);
            if found == 0 {
                found = entry
                    .lock
                    .compare_exchange(0, lock as u64, Relaxed, Relaxed)
                    .map_or_else(|found| found, |_| lock as u64);
            }
            if found == lock as u64 {
                return Some(entry);
            }
        }
        None
    }

    /// Whether somebody may be waiting for `lock`. If it returns false, nobody is. For locks whose own state does not show it.
    #[inline(always)]
    pub fn may_be_waited_for(&self, lock: usize) -> bool {
        // Relaxed: a waiter that arrives at this very moment is charged from the next release on.
        self.filters[Self::filter(lock)].load(Relaxed) != 0
    }

    /// Whether somebody has waited for `lock`, now or before.
    pub fn was_waited_for(&self, lock: usize) -> bool {
        // The filter goes first: it takes a hundredth of the memory that the entries take. Relaxed: as above.
        self.ever[Self::filter(lock)].load(Relaxed) != 0 && self.find(lock).is_some()
    }

    /// Notes that a thread begins to wait at `now_ns` for the holder that acquired the lock at `holder`.
    pub fn begin_wait(
        &self,
        lock: usize,
        holder: Place,
        now_ns: u64,
    ) -> Option<(&Contended, Charges)> {
        let entry = self.entry(lock)?;
        self.ever[Self::filter(lock)].store(1, Relaxed);
        // SeqCst, here and in `end_wait`: these operations are rare, and it leaves no other orderings to consider.
        if entry.waiters.fetch_add(1, SeqCst) == 0 {
            entry.since_ns.store(now_ns, Relaxed);
        } else {
            // The time that others have waited for the holder so far is charged now, so that it is not charged to this thread.
            // If the holder has just released the lock, or was not seen, the holder is most likely the thread that released
            // the lock last, acquiring it again and again.
            let (_, last) = entry.last_release();
            let is_seen = holder != Place::NOWHERE;
            entry.charge(if is_seen { holder } else { last }, 0, now_ns);
        }
        let _ = self.filters[Self::filter(lock)]
            .fetch_update(SeqCst, SeqCst, |waiters| waiters.checked_add(1));
        Some((entry, entry.charges()))
    }

    pub fn end_wait(&self, lock: usize, entry: &Contended) {
        // In the child of a fork made by a signal handler meanwhile, the entry is all zeros.
        let _ = entry
            .waiters
            .fetch_update(SeqCst, SeqCst, |waiters| waiters.checked_sub(1));
        // At its greatest value the filter has lost count, and stays there: from then on it always says "may be".
        let _ =
            self.filters[Self::filter(lock)].fetch_update(
                SeqCst,
                SeqCst,
                |waiters| match waiters {
                    0 | u8::MAX => None,
                    _ => Some(waiters - 1),
                },
            );
    }
}

impl Contended {
    /// Returns the charges so far.
    pub fn charges(&self) -> Charges {
        let mut sums = [0; PLACES];
        // Relaxed: each sum is independent of the others.
        for (sum, charge) in sums.iter_mut().zip(&self.charges).take(PLACES - 1) {
            if charge.place.load(Relaxed) == 0 {
                break;
            }
            *sum = charge.charged_ns.load(Relaxed);
        }
        sums[PLACES - 1] = self.charges[PLACES - 1].charged_ns.load(Relaxed);
        Charges(sums)
    }

    /// Whether a thread waits for the lock.
    pub fn has_waiters(&self) -> bool {
        self.waiters.load(Relaxed) != 0
    }

    /// Returns the place of the charge at `index`.
    pub fn place(&self, index: usize) -> Place {
        Place::from_number(self.charges[index].place.load(Relaxed))
    }

    /// Returns the charges added between `before` and now.
    pub fn charged_since(&self, before: &Charges) -> [u64; PLACES] {
        self.charges().since(before)
    }

    /// Returns the time of the last release while somebody waited, and the place of the thread that released it.
    pub fn last_release(&self) -> (u64, Place) {
        (
            self.released_ns.load(Relaxed),
            Place::from_number(self.released_by.load(Relaxed)),
        )
    }

    /// Returns the time from which the present holder is to be charged.
    pub fn since_ns(&self) -> u64 {
        self.since_ns.load(Relaxed)
    }

    /// Notes that the caller, which has waited, has held the lock since `now_ns`.
    pub fn acquired(&self, now_ns: u64) {
        self.since_ns.store(now_ns, Relaxed);
    }

    /// Notes that a wait for the lock begins, or has ended with the lock.
    pub fn turn(&self) {
        // SeqCst: after an ending wait has counted itself here, it reads the clock and the last release. A thread that releases the
        // lock notes the release before it reads this. So if it misses the count, the wait sees its release.
        self.charges[0].turns.fetch_add(1, SeqCst);
    }

    /// Notes that the caller, which acquired the lock at `place` (at `acquired_ns`, if known), releases it at `now_ns`.
    pub fn release(&self, place: Place, acquired_ns: Option<u64>, now_ns: u64) {
        self.charge(place, acquired_ns.unwrap_or(0), now_ns);
        self.note_release(place, now_ns);
    }

    /// Does the same, and returns how often [`turn`](Self::turn) was called. If the call of an ending wait is not among them, that wait
    /// reads this release.
    #[inline(always)]
    pub fn release_in_turn(&self, place: Place, acquired_ns: Option<u64>, now_ns: u64) -> u32 {
        self.note_release(place, now_ns);
        self.charge(place, acquired_ns.unwrap_or(0), now_ns);
        // SeqCst: as in `turn`.
        self.charges[0].turns.load(SeqCst)
    }

    #[inline(always)]
    fn note_release(&self, place: Place, now_ns: u64) {
        self.released_by.store(place.number(), Relaxed);
        self.released_ns.store(now_ns, Relaxed);
    }

    /// Charges the time up to `now_ns` that has not been charged yet, from `not_before_ns` on.
    fn charge(&self, place: Place, not_before_ns: u64, now_ns: u64) {
        // Each stretch of time is charged by the thread that takes it from here. SeqCst: what the thread noted before comes before what
        // it reads afterwards; see `turn`.
        let since_ns = self.since_ns.swap(now_ns, SeqCst);
        // Zero: no earlier waiter has been seen.
        if since_ns != 0 {
            let held_ns = now_ns.saturating_sub(since_ns.max(not_before_ns));
            let charge = &self.charges[self.index_of(place)];
            charge.charged_ns.fetch_add(held_ns, Relaxed);
        }
    }

    fn index_of(&self, place: Place) -> usize {
        if place == Place::NOWHERE {
            return PLACES - 1;
        }
        let with_stack = (place.stack() != 0).then(|| self.index_among(place, WITH_STACK));
        with_stack
            .flatten()
            .or_else(|| self.index_among(place.by_any_stack(), PLACES - 1))
            .unwrap_or(PLACES - 1)
    }

    /// Returns the index of this place's entry among the first `count`, and makes the entry if there is none.
    fn index_among(&self, place: Place, count: usize) -> Option<usize> {
        self.charges.iter().take(count).position(|charge| {
            // Relaxed: a place is stored once. It is read before it is written, since every release while somebody waits comes
            // here.
            let mut found = charge.place.load(Relaxed);
            if found == 0 {
                found = charge
                    .place
                    .compare_exchange(0, place.number(), Relaxed, Relaxed)
                    .map_or_else(|found| found, |_| place.number());
            }
            found == place.number()
        })
    }
}

#[cfg(test)]
mod tests;

//! Locks that somebody waits for: who made them wait.
//!
//! While threads wait for a lock, each release charges the time since the last one to the site where the releasing thread
//! had acquired it. A waiter takes the charges when it begins to wait and when it has the lock; the differences, scaled to
//! the length of its wait, are what it had to wait for because of each site. So a wait that outlasts several holders is
//! shared among them as they held it. (A holder that did not have to wait, and whose hold is not timed, is charged from the
//! last release on: nobody knows when it came.)
//!
//! # Invariants
//!
//! - **E1** An entry, once it has a lock, keeps it for the life of the process.
//! - **E2** Charges only grow. Whoever charges holds the lock, alone or with other readers.

use core::sync::atomic::Ordering::{Relaxed, SeqCst};
use core::sync::atomic::{AtomicU8, AtomicU32, AtomicU64};

/// How many locks can be charged for. Waits for further ones are charged to the holder that was seen first.
const ENTRIES: usize = 1 << 14;
/// How far an entry may be from where it belongs.
const PROBES: usize = 32;
/// How many sites of holders are told apart at each lock; the last stands for all further ones.
pub const SITES: usize = 8;
/// How many filters there are: see [`ContendedLocks::may_be_waited_for`].
const FILTERS: usize = 4096;

/// All locks that somebody has waited for. Zeros are none.
pub struct ContendedLocks {
    entries: [Contended; ENTRIES],
    filters: [AtomicU8; FILTERS],
}

/// One of them.
#[repr(C, align(64))]
pub struct Contended {
    lock: AtomicU64,
    /// How many threads wait for it now.
    waiters: AtomicU32,
    reserved: AtomicU32,
    /// From when on the present holder is to be charged.
    since_ns: AtomicU64,
    /// When it was released last while somebody waited, or zero.
    released_ns: AtomicU64,
    /// The site of who released it then.
    released_by: AtomicU32,
    sites: [AtomicU32; SITES],
    charged_ns: [AtomicU64; SITES],
}

/// What had been charged at some time.
#[derive(Clone, Copy, Default)]
pub struct Charges([u64; SITES]);

impl ContendedLocks {
    fn place(lock: usize) -> usize {
        (lock as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) as usize >> 50
    }

    fn filter(&self, lock: usize) -> &AtomicU8 {
        &self.filters[(lock as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) as usize >> 52]
    }

    /// The entry of `lock`, if it has one.
    pub fn find(&self, lock: usize) -> Option<&Contended> {
        let first = Self::place(lock);
        for step in 0..PROBES {
            let entry = &self.entries[(first + step) % ENTRIES];
            // Relaxed: E1, and all else in it is atomic by itself.
            match entry.lock.load(Relaxed) {
                0 => return None,
                found if found == lock as u64 => return Some(entry),
                _ => {}
            }
        }
        None
    }

    /// The entry of `lock`, made if it has none. `None` if there is no room.
    pub fn entry(&self, lock: usize) -> Option<&Contended> {
        let first = Self::place(lock);
        for step in 0..PROBES {
            let entry = &self.entries[(first + step) % ENTRIES];
            // Relaxed: as in `find`. Looked at before it is written, since every release while somebody waits comes here.
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

    /// Whether somebody may be waiting for `lock`: certainly not if it says so. For locks that do not show it themselves.
    #[inline(always)]
    pub fn may_be_waited_for(&self, lock: usize) -> bool {
        // Relaxed: a waiter that comes at this very moment is charged from the next release on.
        self.filter(lock).load(Relaxed) != 0
    }

    /// A thread begins to wait at `now_ns` for the holder that acquired the lock at `holder`.
    pub fn begin_wait(
        &self,
        lock: usize,
        holder: u32,
        now_ns: u64,
    ) -> Option<(&Contended, Charges)> {
        let entry = self.entry(lock)?;
        // SeqCst, here and in `end_wait`: these are rare, and nothing else has to be thought of.
        if entry.waiters.fetch_add(1, SeqCst) == 0 {
            entry.since_ns.store(now_ns, Relaxed);
        } else {
            // What others have waited for the holder so far is charged now, so that it is not charged to us. Where the holder
            // has gone just now, or was not seen, it is most likely who released the lock before, and takes it again and
            // again.
            let last = entry.released_by.load(Relaxed);
            entry.charge(if holder == 0 { last } else { holder }, 0, now_ns);
        }
        let _ = self
            .filter(lock)
            .fetch_update(SeqCst, SeqCst, |waiters| waiters.checked_add(1));
        Some((entry, entry.charges()))
    }

    pub fn end_wait(&self, lock: usize, entry: &Contended) {
        // In the child of a fork made by a signal handler meanwhile, the entry is all zeros.
        let _ = entry
            .waiters
            .fetch_update(SeqCst, SeqCst, |waiters| waiters.checked_sub(1));
        // At its greatest value it has lost count, and stays there: then it says "may be" for ever.
        let _ = self
            .filter(lock)
            .fetch_update(SeqCst, SeqCst, |waiters| match waiters {
                0 | u8::MAX => None,
                _ => Some(waiters - 1),
            });
    }
}

impl Contended {
    /// What has been charged so far.
    pub fn charges(&self) -> Charges {
        // Relaxed: each sum by itself.
        Charges(core::array::from_fn(|index| {
            self.charged_ns[index].load(Relaxed)
        }))
    }

    /// Whether a thread waits for the lock.
    pub fn has_waiters(&self) -> bool {
        self.waiters.load(Relaxed) != 0
    }

    /// The site of a charge, by its place.
    pub fn site(&self, index: usize) -> u32 {
        self.sites[index].load(Relaxed)
    }

    /// What was charged between `before` and now.
    pub fn charged_since(&self, before: &Charges) -> [u64; SITES] {
        let now = self.charges();
        core::array::from_fn(|index| now.0[index].saturating_sub(before.0[index]))
    }

    /// When it was released last while somebody waited, and the site of who released it.
    pub fn last_release(&self) -> (u64, u32) {
        (
            self.released_ns.load(Relaxed),
            self.released_by.load(Relaxed),
        )
    }

    /// From when on the present holder is to be charged.
    pub fn since_ns(&self) -> u64 {
        self.since_ns.load(Relaxed)
    }

    /// The caller, who has waited, holds the lock since `now_ns`.
    pub fn acquired(&self, now_ns: u64) {
        self.since_ns.store(now_ns, Relaxed);
    }

    /// The caller, who acquired the lock at `site` (at `acquired_ns`, if it knows), releases it at `now_ns`.
    pub fn release(&self, site: u32, acquired_ns: Option<u64>, now_ns: u64) {
        self.charge(site, acquired_ns.unwrap_or(0), now_ns);
        self.released_by.store(site, Relaxed);
        self.released_ns.store(now_ns, Relaxed);
    }

    /// Charges the time up to `now_ns` that has not been charged yet, from `not_before_ns` on.
    fn charge(&self, site: u32, not_before_ns: u64, now_ns: u64) {
        // Relaxed: each time is charged by the one who takes it from here.
        let since_ns = self.since_ns.swap(now_ns, Relaxed);
        // Zero: nobody waited before, as far as was seen.
        if since_ns != 0 {
            let held_ns = now_ns.saturating_sub(since_ns.max(not_before_ns));
            self.charged_ns[self.index_of(site)].fetch_add(held_ns, Relaxed);
        }
    }

    fn index_of(&self, site: u32) -> usize {
        if site == 0 {
            return SITES - 1;
        }
        for (index, place) in self.sites.iter().enumerate().take(SITES - 1) {
            // Relaxed: a site is stored once.
            let found = place
                .compare_exchange(0, site, Relaxed, Relaxed)
                .unwrap_or_else(|found| found);
            if found == site || found == 0 {
                return index;
            }
        }
        SITES - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn locks() -> Box<ContendedLocks> {
        // SAFETY: zeros are a valid value.
        unsafe { Box::<ContendedLocks>::new_zeroed().assume_init() }
    }

    #[test]
    fn each_holder_is_charged_for_the_time_it_held_while_somebody_waited() {
        let locks = locks();
        assert!(locks.find(0x1000).is_none() && !locks.may_be_waited_for(0x1000));
        // The holder came at 100, the waiter at 1000; the holder goes at 1600, and another holds until 1900.
        let (entry, before) = locks.begin_wait(0x1000, 7, 1000).unwrap();
        assert!(locks.may_be_waited_for(0x1000));
        entry.release(7, Some(100), 1600);
        entry.release(8, Some(1700), 1900);
        let charged = entry.charged_since(&before);
        locks.end_wait(0x1000, entry);
        assert_eq!((entry.site(0), charged[0]), (7, 600));
        assert_eq!((entry.site(1), charged[1]), (8, 200));
        assert_eq!(entry.last_release(), (1900, 8));
        assert!(!locks.may_be_waited_for(0x1000));
    }

    #[test]
    fn who_comes_later_is_not_charged_with_what_went_before() {
        let locks = locks();
        let (entry, first) = locks.begin_wait(0x1000, 7, 1000).unwrap();
        let (_, second) = locks.begin_wait(0x1000, 7, 1400).unwrap();
        entry.release(7, Some(100), 1600);
        assert_eq!(entry.charged_since(&first)[0], 600);
        assert_eq!(entry.charged_since(&second)[0], 200);
    }

    #[test]
    fn a_waiter_that_has_the_lock_is_charged_from_then_on() {
        let locks = locks();
        let (entry, _) = locks.begin_wait(0x1000, 7, 1000).unwrap();
        let (_, before) = locks.begin_wait(0x1000, 7, 1000).unwrap();
        entry.release(7, None, 1600);
        // Between its release and the next acquisition nobody has the lock.
        entry.acquired(1750);
        assert_eq!(entry.since_ns(), 1750);
        entry.release(8, None, 1900);
        let charged = entry.charged_since(&before);
        assert_eq!(charged[..2], [600, 150]);
    }

    #[test]
    fn a_holder_that_was_not_seen_is_taken_for_who_released_the_lock_last() {
        let locks = locks();
        let (entry, first) = locks.begin_wait(0x1000, 7, 1000).unwrap();
        entry.release(8, None, 1300);
        let (_, second) = locks.begin_wait(0x1000, 0, 1500).unwrap();
        assert_eq!((entry.site(0), entry.charged_since(&first)[0]), (8, 500));
        entry.release(0, None, 1600);
        let charged = entry.charged_since(&second);
        assert_eq!((charged[0], charged[SITES - 1]), (0, 100));
    }

    #[test]
    fn more_sites_than_there_is_room_for_share_the_last() {
        let locks = locks();
        let (entry, before) = locks.begin_wait(0x2000, 0, 1).unwrap();
        for site in 1..=20 {
            entry.release(site, None, 1 + u64::from(site) * 10);
        }
        let charged = entry.charged_since(&before);
        assert_eq!(charged[..SITES - 1], [10; SITES - 1]);
        assert_eq!((entry.site(SITES - 1), charged[SITES - 1]), (0, 130));
    }

    #[test]
    fn locks_at_one_place_of_the_table_are_told_apart() {
        let locks = locks();
        for lock in (0..4000_usize).map(|number| 0x7000_0000 + number * 40) {
            if let Some(entry) = locks.entry(lock) {
                assert!(core::ptr::eq(entry, locks.find(lock).unwrap()));
            }
        }
    }
}

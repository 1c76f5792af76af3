//! The counts that a thread used recently, so that an acquisition like an earlier one finds its count without searching the
//! table.
//!
//! # Invariants
//!
//! - **E1** A place's count is null or a record that stays mapped. A record keeps its lock, its site and its entry point
//!   forever; only its generation changes, when another lock comes to the same address.
//! - **E2** A place whose `site` is set has a count of that site and of [`EntryPoint::Lock`], unless code has been unloaded
//!   since: then `epoch` differs from the one that `sites` has.
//!
//! [`EntryPoint::Lock`]: locktoll_recording::layout::EntryPoint

use core::cell::Cell;
use core::ptr::{from_ref, null};
use core::sync::atomic::Ordering::{Relaxed, SeqCst};
use core::sync::atomic::compiler_fence;

use locktoll_recording::layout::CountRecord;

/// The number of counts that are remembered.
const PLACES: usize = 32;
/// A thread that cycles through more locks than there are places lets up to this many uses pass before it remembers one:
/// remembering costs more than it would gain.
const MOST_PASSES: u8 = 63;

/// The counts by lock and site. All zeros, as in wiped memory, remembers nothing.
#[repr(C)]
pub struct RecentCounts {
    epoch: Cell<u32>,
    /// The number of uses that pass before the next one is remembered.
    passes: Cell<u8>,
    /// The number that passed before the last one was remembered.
    passed: Cell<u8>,
    places: [Place; PLACES],
}

#[repr(C)]
struct Place {
    site: Cell<usize>,
    count: Cell<*const CountRecord>,
}

impl RecentCounts {
    /// Returns the count of acquisitions of `lock` in this `generation` by the call that returns to `site`, if it is
    /// remembered. `epoch` is the present one of `sites`.
    #[inline(always)]
    pub fn find(
        &self,
        lock: usize,
        generation: u32,
        site: usize,
        epoch: u32,
    ) -> Option<&'static CountRecord> {
        let place = self.place(lock, site);
        if place.site.get() != site || self.epoch.get() != epoch {
            return None;
        }
        // SAFETY: E1. It is not null, since the site is set.
        let count = unsafe { &*place.count.get() };
        let is_of_lock = count.lock.load(Relaxed) == lock as u64;
        (is_of_lock && count.generation.load(Relaxed) == generation).then_some(count)
    }

    /// Remembers `count`, which counts `lock` at `site` with the entry point that E2 names.
    pub fn note(&self, lock: usize, site: usize, count: &'static CountRecord, epoch: u32) {
        if self.epoch.get() != epoch {
            self.forget();
            self.epoch.set(epoch);
        }
        let left = self.passes.get();
        if left > 0 {
            self.passes.set(left - 1);
            return;
        }
        let place = self.place(lock, site);
        let drives_out = place.site.get() != 0 && place.count.get() != from_ref(count);
        let passes = match drives_out {
            true => (2 * self.passed.get() + 1).min(MOST_PASSES),
            false => 0,
        };
        self.passed.set(passes);
        self.passes.set(passes);
        // A signal handler may interrupt this at any step, and may use the same place from beginning to end. The site is not
        // set before the count is, and is cleared again if the count has become another one by then.
        place.site.set(0);
        compiler_fence(SeqCst);
        place.count.set(from_ref(count));
        compiler_fence(SeqCst);
        place.site.set(site);
        compiler_fence(SeqCst);
        if place.count.get() != from_ref(count) {
            place.site.set(0);
        }
    }

    fn forget(&self) {
        for place in &self.places {
            place.site.set(0);
            compiler_fence(SeqCst);
            place.count.set(null());
        }
    }

    #[inline(always)]
    fn place(&self, lock: usize, site: usize) -> &Place {
        // Multiplicative hashing, as in `index`: the upper bits are well mixed.
        let hash = (lock ^ site).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        &self.places[hash >> (usize::BITS - PLACES.ilog2())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(lock: usize, generation: u32) -> &'static CountRecord {
        // SAFETY: zeros are a valid record.
        let count: CountRecord = unsafe { core::mem::zeroed() };
        count.lock.store(lock as u64, Relaxed);
        count.generation.store(generation, Relaxed);
        Box::leak(Box::new(count))
    }

    fn nothing() -> RecentCounts {
        // SAFETY: all zeros remembers nothing.
        unsafe { core::mem::zeroed() }
    }

    #[test]
    fn a_count_is_found_by_lock_generation_and_site() {
        let recent = nothing();
        let (lock, site) = (0x7f00_0000_1000, 0x40_1000);
        assert!(recent.find(lock, 0, site, 0).is_none());
        recent.note(lock, site, count(lock, 7), 0);
        assert!(recent.find(lock, 7, site, 0).is_some());
        assert!(
            recent.find(lock, 8, site, 0).is_none(),
            "another lock there"
        );
        for other in 1..10_000 {
            assert!(recent.find(lock + 8 * other, 7, site, 0).is_none());
            assert!(recent.find(lock, 7, site + other, 0).is_none());
        }
    }

    #[test]
    fn very_many_drive_each_other_out_and_none_is_taken_for_another() {
        let recent = nothing();
        let locks: Vec<usize> = (0..1000).map(|number| 0x5555_0000 + 40 * number).collect();
        let counts: Vec<_> = locks.iter().map(|&lock| count(lock, 1)).collect();
        let mut found = 0;
        for round in 0..300 {
            for (&lock, &count) in locks.iter().zip(&counts) {
                for site in [0x1000, 0x1005] {
                    if let Some(same) = recent.find(lock, 1, site, 0) {
                        assert!(core::ptr::eq(same, count));
                        found += 1;
                    }
                    if (lock + site + round) % 3 == 0 {
                        recent.note(lock, site, count, 0);
                    }
                }
            }
        }
        assert!(found > 0);
    }

    #[test]
    fn few_are_all_remembered_and_many_only_now_and_then() {
        let remembered = |locks: usize| {
            let recent = nothing();
            let counts: Vec<_> = (0..locks).map(|lock| count(64 * lock, 1)).collect();
            let mut notes = 0;
            for _ in 0..1000 {
                for (number, &count) in counts.iter().enumerate() {
                    if recent.find(64 * number, 1, 0x1000, 0).is_none() {
                        recent.note(64 * number, 0x1000, count, 0);
                        notes += usize::from(recent.find(64 * number, 1, 0x1000, 0).is_some());
                    }
                }
            }
            notes
        };
        assert_eq!(remembered(1), 1);
        let many = remembered(1000);
        assert!((1000..1_000_000 / 32).contains(&many), "{many}");
    }

    #[test]
    fn nothing_is_remembered_of_code_that_has_gone() {
        let recent = nothing();
        recent.note(0x1000, 0x2000, count(0x1000, 1), 5);
        recent.note(0x3000, 0x2000, count(0x3000, 1), 5);
        assert!(recent.find(0x1000, 1, 0x2000, 5).is_some());
        assert!(recent.find(0x1000, 1, 0x2000, 6).is_none());
        recent.note(0x1000, 0x2000, count(0x1000, 1), 6);
        assert!(recent.find(0x1000, 1, 0x2000, 6).is_some());
        assert!(recent.find(0x3000, 1, 0x2000, 6).is_none(), "of before");
    }
}

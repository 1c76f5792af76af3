//! The location of the tables for a range of code.
//!
//! # Invariants
//!
//! - **U1** Places are written by the holder of the recorder's lock only.
//! - **U2** `version` is odd while one is written: data read between two equal even versions belongs together (a
//!   sequence lock; Boehm, Can seqlocks get along with programming language memory models?, 2012).

use core::ops::Range;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicU32, AtomicUsize, fence};

use super::stretch::Stretch;

/// The greatest number of stretches of code.
const STRETCHES: usize = 2048;
/// How often a reader tries again while stretches are being written.
const TRIES: usize = 64;

/// Room for a stretch. All zeros means it is empty.
struct Place {
    start: AtomicUsize,
    end: AtomicUsize,
    index: AtomicUsize,
}

impl Place {
    // Relaxed, both: see U2.
    fn get(&self) -> Stretch {
        Stretch {
            start: self.start.load(Relaxed),
            end: self.end.load(Relaxed),
            index: self.index.load(Relaxed),
        }
    }

    fn set(&self, stretch: Stretch) {
        self.start.store(stretch.start, Relaxed);
        self.end.store(stretch.end, Relaxed);
        self.index.store(stretch.index, Relaxed);
    }
}

/// The known stretches of code. All zeros means there are none.
pub struct Tables {
    places: [Place; STRETCHES],
    /// The number of places that were ever used.
    used: AtomicUsize,
    version: AtomicU32,
}

impl Tables {
    /// Adds a stretch, and replaces what was known about its addresses. If there is no room, the stretch is left out.
    ///
    /// # Safety
    /// U1: the caller holds the recorder's lock.
    pub unsafe fn add(&self, stretch: Stretch) {
        self.write(|| {
            self.clear(&(stretch.start..stretch.end));
            // Relaxed: U1.
            let used = self.used.load(Relaxed);
            let is_free = |place: &&Place| place.get().start == place.get().end;
            if let Some(place) = self.places.iter().take(used).find(is_free) {
                place.set(stretch);
            } else if let Some(place) = self.places.get(used) {
                place.set(stretch);
                // Relaxed: U2.
                self.used.store(used + 1, Relaxed);
            }
        });
    }

    /// Forgets what was known about `code`.
    ///
    /// # Safety
    /// U1: the caller holds the recorder's lock.
    pub unsafe fn forget(&self, code: &Range<usize>) {
        self.write(|| self.clear(code));
    }

    fn clear(&self, code: &Range<usize>) {
        for place in &self.places[..self.used.load(Relaxed).min(STRETCHES)] {
            let known = place.get();
            if known.start < code.end && code.start < known.end {
                place.set(Stretch {
                    start: 0,
                    end: 0,
                    index: 0,
                });
            }
        }
    }

    fn write(&self, change: impl FnOnce()) {
        // Relaxed: U1.
        let version = self.version.load(Relaxed);
        self.version.store(version.wrapping_add(1), Relaxed);
        // A reader that sees any part of the change also sees the odd version.
        fence(Release);
        change();
        // Release: a reader that sees the new version sees all of the change.
        self.version.store(version.wrapping_add(2), Release);
    }

    /// Returns a number that changes whenever other code may have been loaded at an address.
    #[inline]
    pub fn generation(&self) -> u32 {
        // Acquire: pairs with the release in `write`. An ordinary load on x86-64.
        self.version.load(Acquire) / 2
    }

    /// Finds the stretch that `address` lies in. Also returns `None` if others are being written all the time: the caller asks
    /// again after it has held the recorder's lock.
    pub fn find(&self, address: usize) -> Option<Stretch> {
        for _ in 0..TRIES {
            // Acquire: pairs with the release at the end of `write`.
            let version = self.version.load(Acquire);
            if !version.is_multiple_of(2) {
                core::hint::spin_loop();
                continue;
            }
            // Relaxed: U2.
            let used = self.used.load(Relaxed).min(STRETCHES);
            let mut known = self.places[..used].iter().map(Place::get);
            let found = known.find(|stretch| (stretch.start..stretch.end).contains(&address));
            // Pairs with the fence in `write`: if anything read came from a later change, so did the version.
            fence(Acquire);
            if self.version.load(Relaxed) == version {
                return found;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables() -> Box<Tables> {
        // SAFETY: zeros are a valid value.
        unsafe { Box::<Tables>::new_zeroed().assume_init() }
    }

    fn stretch(start: usize, end: usize, index: usize) -> Stretch {
        Stretch { start, end, index }
    }

    #[test]
    fn what_is_added_hides_what_was_there_and_what_has_gone_is_not_found() {
        let tables = tables();
        assert_eq!(tables.find(0), None);
        // SAFETY: one thread.
        unsafe {
            tables.add(stretch(0x1000, 0x3000, 1));
            tables.add(stretch(0x3000, 0x5000, 2));
            assert_eq!(tables.find(0x2fff).map(|found| found.index), Some(1));
            assert_eq!(tables.find(0x3000).map(|found| found.index), Some(2));
            let before = tables.generation();
            tables.add(stretch(0x2000, 0x4000, 3));
            assert_ne!(tables.generation(), before);
            assert_eq!(tables.find(0x2000).map(|found| found.index), Some(3));
            assert_eq!(tables.find(0x1000), None);
            assert_eq!(tables.find(0x4000), None);
            tables.forget(&(0x3fff..0x4000));
        }
        assert_eq!(tables.find(0x2000), None);
    }

    #[test]
    fn libraries_that_come_and_go_need_no_more_room() {
        let tables = tables();
        for round in 1..=3 * STRETCHES {
            // SAFETY: one thread.
            unsafe {
                tables.add(stretch(0x1000, 0x3000, round));
                tables.add(stretch(
                    0x10_0000 * round,
                    0x10_0000 * round + 0x1000,
                    round,
                ));
                assert_eq!(tables.find(0x1000).map(|found| found.index), Some(round));
                let other = tables.find(0x10_0000 * round);
                assert_eq!(other.map(|found| found.index), Some(round));
                tables.forget(&(0x10_0000 * round..0x10_0000 * round + 1));
            }
        }
    }

    #[test]
    fn a_reader_never_sees_half_of_a_change() {
        const CHANGES: usize = 20_000;
        let tables = &*tables();
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                for change in 1..CHANGES {
                    let start = 0x1000 * (change % 7);
                    // SAFETY: one thread writes.
                    unsafe { tables.add(stretch(start, start + 0x9000, start ^ 0x5555)) };
                }
            });
            while !writer.is_finished() {
                // An address that lies in all of them.
                if let Some(found) = tables.find(0x8000) {
                    assert_eq!(
                        found,
                        stretch(found.start, found.start + 0x9000, found.start ^ 0x5555)
                    );
                }
            }
        });
        assert!(tables.find(0x8000).is_some());
    }
}

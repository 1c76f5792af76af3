//! The objects that are left to the C library, each counted once.
//!
//! These objects have no room for a mark, so the addresses of those that have been counted are kept here, in a table that
//! never grows and needs no lock. If it is full, no more are counted, and the counts say "at least". An address that is used
//! again for the same reason counts as one object. A forked child counts objects that its parent has not met.

use core::sync::atomic::AtomicUsize;
use core::sync::atomic::Ordering::Relaxed;

use crate::tally::{self, Object, REASONS, Reason};

/// The greatest number of objects that are distinguished.
const PLACES: usize = 4096;

/// How far an address may lie from its home position. Beyond that, it is not counted.
const NEAR: usize = 16;

static SEEN: Seen = Seen::new();

/// Counts an object that is passed through, unless it has been counted.
#[cold]
pub fn count(object: Object, reason: Reason, address: usize) {
    if tally::is_open() && SEEN.add(key(reason, address)) {
        tally::count_passed_through(object, reason);
    }
}

/// Combines the reason with the address, since an object may be passed through for one reason, and for another after it has
/// been initialised again.
fn key(reason: Reason, address: usize) -> usize {
    const { assert!(REASONS <= 8) };
    address << 3 | reason as usize
}

/// A set of numbers that can only grow; zero means an empty place.
struct Seen([AtomicUsize; PLACES]);

impl Seen {
    const fn new() -> Self {
        Self([const { AtomicUsize::new(0) }; PLACES])
    }

    /// Adds an address. Returns `true` the first time; `false` after that, and if there is no place for it.
    fn add(&self, address: usize) -> bool {
        let own = address.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (usize::BITS - PLACES.ilog2());
        for place in (own..own + NEAR).map(|place| &self.0[place % PLACES]) {
            // Relaxed, both: only the address itself matters.
            match place.compare_exchange(0, address, Relaxed, Relaxed) {
                Ok(_) => return true,
                Err(found) if found == address => return false,
                Err(_) => {}
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_added_once() {
        let seen = Box::new(Seen::new());
        for address in (0x7f00_0000_0000..).step_by(40).take(1000) {
            assert!(seen.add(address));
            assert!(!seen.add(address));
        }
    }

    #[test]
    fn a_full_table_adds_nothing_and_does_not_hang() {
        let seen = Box::new(Seen::new());
        let added = (8..)
            .step_by(8)
            .take(100 * PLACES)
            .filter(|address| seen.add(*address));
        assert!((PLACES / 2..=PLACES).contains(&added.count()));
        assert!(!seen.add(8), "it is still there");
    }

    #[test]
    fn an_object_counts_once_for_each_reason() {
        let reasons = [Reason::ProcessShared, Reason::Robust, Reason::NotAskedFor];
        let mut keys = Vec::new();
        for address in [0x7f00_0000_1000, 0x7f00_0000_1008] {
            keys.extend(reasons.map(|reason| key(reason, address)));
        }
        let distinct: std::collections::BTreeSet<usize> = keys.iter().copied().collect();
        assert_eq!(distinct.len(), keys.len());
        assert!(!distinct.contains(&0), "it means an empty place");
    }
}

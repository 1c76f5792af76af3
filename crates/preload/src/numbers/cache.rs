//! A thread's cache of the numbers of stacks and births, so that it does not have to take the recorder's lock.
//!
//! Every entry is one word, so that a signal handler that comes in between sees all of it or nothing.

use core::cell::Cell;

use crate::unwind::{KnownPages, Walks};

const STACKS: usize = 32;
const BIRTHS: usize = 16;

/// The number of bits in the numbers of stacks and births: see [`IDS`].
const ID_BITS: u32 = 16;
/// All numbers of stacks and of births are less than this.
pub const IDS: usize = 1 << ID_BITS;

/// What one thread remembers. All zeros is an empty cache.
///
/// Only the thread it belongs to and that thread's signal handlers may use it.
pub struct StackCache {
    /// In each entry, the upper 48 bits are from the stack's hash, and the lower are its number, or 0 if there was no room for
    /// it.
    ///
    /// Stacks whose hashes agree in these 48 bits and in the place here are taken to be the same: one pair in 2^53.
    stacks: [Cell<u64>; STACKS],
    /// In each entry, the upper 48 bits are the birth's key, and the lower are its number.
    births: [Cell<u64>; BIRTHS],
    /// The pages of the thread's stack that walks have passed through.
    pub known_pages: KnownPages,
    /// The most recent walks.
    pub walks: Walks,
}

impl StackCache {
    #[cfg(test)]
    pub const fn nothing() -> Self {
        Self {
            stacks: [const { Cell::new(0) }; STACKS],
            births: [const { Cell::new(0) }; BIRTHS],
            known_pages: KnownPages::none(),
            walks: Walks::nothing(),
        }
    }

    /// Forgets where the stack is, for a new thread that takes over another thread's cache.
    pub fn forget_thread(&self) {
        self.known_pages.forget();
        self.walks.forget();
    }

    /// Returns the number of the stack with this hash, if it is remembered, or 0 if there is no room for it.
    pub fn stack(&self, hash: u64) -> Option<u32> {
        let entry = self.stacks[(hash >> (64 - STACKS.ilog2())) as usize].get();
        number_if(entry, hash)
    }

    pub fn remember_stack(&self, hash: u64, id: u32) {
        let entry = &self.stacks[(hash >> (64 - STACKS.ilog2())) as usize];
        entry.set(hash << ID_BITS | u64::from(id));
    }

    /// Returns the number of the birth with this key, if it is remembered.
    pub fn birth(&self, key: u64) -> Option<u32> {
        number_if(self.births[place_of_birth(key)].get(), key)
    }

    pub fn remember_birth(&self, key: u64, id: u32) {
        self.births[place_of_birth(key)].set(key << ID_BITS | u64::from(id));
    }
}

/// Returns the number in `entry` if `entry` is not empty and its upper 48 bits are the lower 48 bits of `key`.
fn number_if(entry: u64, key: u64) -> Option<u32> {
    let id = entry as u32 & (IDS as u32 - 1);
    (entry != 0 && entry >> ID_BITS == key << ID_BITS >> ID_BITS).then_some(id)
}

fn place_of_birth(key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - BIRTHS.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_is_known_by_its_hash_and_by_no_other() {
        let cache = StackCache::nothing();
        let hash = 0xabcd_ef01_2345_6789;
        assert_eq!(cache.stack(hash), None);
        cache.remember_stack(hash, 65_535);
        assert_eq!(cache.stack(hash), Some(65_535));
        // At the same place of the cache; the second differs in the lowest bit only.
        for other in [hash ^ 1 << 47, hash ^ 1] {
            assert_eq!(cache.stack(other), None, "{other:#x}");
        }
        cache.remember_stack(hash ^ 1, 7);
        assert_eq!((cache.stack(hash), cache.stack(hash ^ 1)), (None, Some(7)));
        cache.remember_stack(hash, 0);
        assert_eq!(cache.stack(hash), Some(0), "there was no room for it");
    }

    #[test]
    fn stacks_whose_upper_bits_differ_have_places_of_their_own() {
        let cache = StackCache::nothing();
        let hash = |number: u64| number << 59 | 5;
        for number in 0..STACKS as u64 {
            cache.remember_stack(hash(number), number as u32 + 1);
        }
        for number in 0..STACKS as u64 {
            assert_eq!(cache.stack(hash(number)), Some(number as u32 + 1));
        }
    }

    #[test]
    fn a_birth_is_known_by_its_key_and_by_no_other() {
        let cache = StackCache::nothing();
        assert_eq!(cache.birth(5), None);
        let mut kept = 0;
        for key in 1..=40 {
            cache.remember_birth(key, key as u32 + 100);
            assert_eq!(cache.birth(key), Some(key as u32 + 100));
        }
        for key in 1..=40 {
            if let Some(id) = cache.birth(key) {
                assert_eq!(id, key as u32 + 100);
                kept += 1;
            }
        }
        assert!((BIRTHS / 2..=BIRTHS).contains(&kept), "{kept}");
        assert!((41..1000).all(|key| cache.birth(key).is_none()));
    }
}

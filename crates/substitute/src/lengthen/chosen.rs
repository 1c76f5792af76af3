//! Which objects are lengthened.
//!
//! The decision is made once for each object, when it is initialised or first acquired, and noted in a word of the object that
//! the C library does not use for it. The word depends on the address, so memory copied from another object decides nothing.

use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::Relaxed;

use crate::only::{is_asked_for, is_on, left};
use crate::sandbox;
use crate::tally::{self, Object, Reason};

/// The word of an object that is lengthened.
fn chosen(address: usize) -> u64 {
    const SALT: u64 = 0x6368_6f73_656e_2d6c;
    left(address) ^ SALT
}

/// The word of an object in which the decision is noted.
#[derive(Clone, Copy)]
pub struct Noted<'a> {
    word: &'a AtomicU64,
    address: usize,
    object: Object,
}

impl<'a> Noted<'a> {
    /// Finds the word `offset` bytes into the object.
    ///
    /// # Safety
    /// The object is the program's own, is aligned to 8 bytes like `offset`, and outlives the value; the C library does not use
    /// the word.
    pub unsafe fn at(address: usize, offset: usize, object: Object) -> Self {
        let word = core::ptr::with_exposed_provenance_mut(address + offset);
        Self {
            // SAFETY: the caller's promise; this library alone uses the word, atomically.
            word: unsafe { AtomicU64::from_ptr(word) },
            address,
            object,
        }
    }

    /// Whether the object is lengthened, if that has been decided.
    #[inline]
    pub fn is_chosen(self) -> bool {
        // Relaxed, throughout: the word publishes nothing but itself, and the decision of two threads is the same.
        self.word.load(Relaxed) == chosen(self.address)
    }

    /// Whether the object is lengthened. Decides it, if it has not been decided, for a call that returns to `site`.
    #[inline]
    pub fn decide(self, site: usize) -> bool {
        let word = self.word.load(Relaxed);
        if word == chosen(self.address) {
            return true;
        }
        word != left(self.address) && self.decide_now(site)
    }

    #[cold]
    fn decide_now(self, site: usize) -> bool {
        // The question may take system calls, and a program that has given them up would be ended for them.
        if is_on() && sandbox::is_entered() {
            return false;
        }
        let is_chosen = !is_on() || is_asked_for(self.address, site);
        let word = if is_chosen {
            chosen(self.address)
        } else {
            left(self.address)
        };
        if self.word.swap(word, Relaxed) != word {
            match is_chosen {
                true => tally::count_replaced(self.object),
                false => tally::count_passed_through(self.object, Reason::NotAskedFor),
            }
        }
        is_chosen
    }

    /// Forgets the decision: the object is destroyed, or has been initialised anew.
    pub fn forget(self) {
        self.word.store(0, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_is_of_one_object_and_is_forgotten_with_it() {
        let objects = [[0_u64; 5]; 2];
        let noted = |index: usize| {
            let address = (&raw const objects[index]).expose_provenance();
            // SAFETY: the test's own memory, aligned.
            unsafe { Noted::at(address, 24, Object::Mutex) }
        };
        assert!(!noted(0).is_chosen());
        // Without places, every object is chosen.
        crate::only::while_asked_for(&[], || {
            assert!(noted(0).decide(1) && noted(0).is_chosen());
        });
        // A copy of the memory is another object.
        noted(1).word.store(noted(0).word.load(Relaxed), Relaxed);
        assert!(!noted(1).is_chosen());
        noted(0).forget();
        assert!(!noted(0).is_chosen());
    }
}

//! The first use of a reader-writer lock in a process.

use core::sync::atomic::Ordering::Relaxed;

use libc::pthread_rwlock_t;
use locktoll_locks::{RawRw, RwPark};

use super::object::RwObject;
use super::owner::NOBODY;
use crate::mark::Found;
use crate::tally::{self, Object};
use crate::waiting;

/// Returns the object, settled, or `None` if it is the C library's.
///
/// # Safety
/// The program's own lock.
#[inline(always)]
pub unsafe fn ours<'a>(rwlock: *mut pthread_rwlock_t) -> Option<&'a RwObject> {
    // SAFETY: the caller's promise.
    let object = unsafe { RwObject::of(rwlock) };
    (object.mark.is_current() || object.settle()).then_some(object)
}

impl RwObject {
    /// Makes the lock, or adopts it in a forked child. Returns `false` if it is left to the C library.
    #[cold]
    fn settle(&self) -> bool {
        self.settle_if(|| true)
    }

    /// Does the same for a lock that is to be made only if `is_asked_for`.
    pub fn settle_if(&self, is_asked_for: impl FnOnce() -> bool) -> bool {
        if self.is_shared() {
            return false;
        }
        // SAFETY: O1: only called if the mark is one.
        let was_held = || unsafe { self.lock() }.is_locked();
        self.mark.settle_if(was_held, |found| {
            match found {
                Found::Unused if !is_asked_for() => return false,
                Found::Unused => self.make(),
                Found::Inherited { .. } => self.adopt(),
            }
            true
        })
    }

    fn make(&self) {
        // SAFETY: M1: this thread is settling it.
        unsafe { self.put(RwPark::with(self.preference(), waiting::chosen())) };
        // Relaxed: published by the mark.
        self.writer.store(NOBODY, Relaxed);
        tally::count_replaced(Object::ReaderWriter);
    }

    /// Adopts the lock in steps that may be repeated.
    fn adopt(&self) {
        // SAFETY: O1: an inherited lock has been made.
        unsafe { self.lock() }.adopt();
        self.forget_writer_that_is_gone();
    }
}

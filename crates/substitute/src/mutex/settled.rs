//! The first use of a mutex in a process.

use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Relaxed;

use super::object::MutexObject;
use super::owner::NOBODY;
use crate::in_place::InPlace;
use crate::mark::Found;
use crate::tally::{self, Object};

/// The chosen candidate's parameter, stored before any name is sent to us.
static PARAMETER: AtomicU32 = AtomicU32::new(0);

/// Says what parameter locks are made with.
pub fn set_parameter(parameter: u32) {
    // Relaxed: every thread that gets as far as a lock of ours has been sent there after this, or stores the same.
    PARAMETER.store(parameter, Relaxed);
}

impl MutexObject {
    /// Makes the mutex, or adopts it in a forked child, if it is not settled. It may be used as `L` afterwards.
    #[inline]
    pub fn settle<L: InPlace>(&self) {
        if self.mark.is_current() {
            return;
        }
        self.settle_if::<L>(|| true);
    }

    /// The same for a mutex that is to be made only if `is_asked_for`. Returns whether it may be used as `L`.
    pub fn settle_if<L: InPlace>(&self, is_asked_for: impl FnOnce() -> bool) -> bool {
        // SAFETY: O1: asked only where the mark is one.
        let was_held = || unsafe { self.lock::<L>() }.is_locked();
        self.mark.settle_if(was_held, |found| {
            match found {
                Found::Unused if !is_asked_for() => return false,
                Found::Unused => self.make::<L>(),
                Found::Inherited { .. } => self.adopt::<L>(),
            }
            true
        })
    }

    fn make<L: InPlace>(&self) {
        // Relaxed, all: published by the mark. What lies before the kind may be the lock's own (`InPlace::PLAIN_ONLY`), which
        // begins with zeros there.
        self.waiting.store(0, Relaxed);
        self.note_owner(NOBODY, 0);
        // SAFETY: M1: we are settling it.
        unsafe { self.put(L::with_parameter(PARAMETER.load(Relaxed))) };
        tally::count_replaced(Object::Mutex);
    }

    fn adopt<L: InPlace>(&self) {
        // SAFETY: O1. It may be half done already: steps that may be taken twice.
        unsafe { self.lock::<L>() }.forget_waiters();
        if !L::PLAIN_ONLY {
            // Relaxed: published by the mark. Who waited is not here.
            self.waiting.store(0, Relaxed);
            self.forget_owner_that_is_gone();
        }
    }
}

//! The first use of a mutex in a process.

use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Relaxed;

use super::object::MutexObject;
use super::owner::NOBODY;
use crate::in_place::InPlace;
use crate::mark::Found;
use crate::tally::{self, Object};

/// The chosen candidate's parameter, stored before any name is redirected to this library.
static PARAMETER: AtomicU32 = AtomicU32::new(0);

/// Sets the parameter with which locks are made.
pub fn set_parameter(parameter: u32) {
    // Relaxed: every thread that reaches one of this library's locks was sent there after this, or stores the same value.
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

    /// Does the same for a mutex that is to be made only if `is_asked_for`. Returns whether it may be used as `L`.
    pub fn settle_if<L: InPlace>(&self, is_asked_for: impl FnOnce() -> bool) -> bool {
        // SAFETY: O1: only called if the mark is one.
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
        // Relaxed throughout: published by the mark. The bytes before the kind may belong to the lock itself
        // (`InPlace::PLAIN_ONLY`), which begins with zeros there.
        self.waiting.store(0, Relaxed);
        self.note_owner(NOBODY, 0);
        // SAFETY: M1: this thread is settling it.
        unsafe { self.put(L::with_parameter(PARAMETER.load(Relaxed))) };
        tally::count_replaced(Object::Mutex);
    }

    fn adopt<L: InPlace>(&self) {
        // SAFETY: O1: this is the child's only thread that uses it. It may be half done already, so the steps may be repeated.
        unsafe { self.lock::<L>().forget_waiters() };
        if !L::PLAIN_ONLY {
            // Relaxed: published by the mark. The waiting threads do not exist here.
            self.waiting.store(0, Relaxed);
            self.forget_owner_that_is_gone();
        }
    }
}

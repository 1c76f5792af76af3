//! Replaces only some of the reader-writer locks.
//!
//! A lock that is left to the C library keeps a word in bytes 16 to 23, which the C library does not use, and where the
//! replacing lock would be.

use core::ffi::c_int;
use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use libc::{clockid_t, pthread_rwlock_t, pthread_rwlockattr_t, timespec};

use super::names::rwlock_names;
use super::object::RwObject;
use super::{lifetime, read, release, write};
use crate::only::{is_asked_for, left};
use crate::real::rwlock as real;
use crate::tally::{self, Object, Reason};

rwlock_names! {
    /// Redirects the names of reader-writer locks to functions that examine their caller.
    replace_only
}

impl RwObject {
    fn address(&self) -> usize {
        (&raw const *self).addr()
    }

    /// Returns the word that says whether the lock has been left.
    fn left(&self) -> &AtomicU64 {
        const PLACE: usize = 16;
        // SAFETY: within the object and aligned; the contents there are atomic, or never read as anything else while the lock
        // is not this library's.
        unsafe { AtomicU64::from_ptr((&raw const *self).cast_mut().byte_add(PLACE).cast()) }
    }

    fn is_left(&self) -> bool {
        // Acquire: pairs with the release below; the C library orders its own accesses since then.
        self.left().load(Acquire) == left(self.address())
    }

    fn leave(&self) {
        self.left().store(left(self.address()), Release);
        tally::count_passed_through(Object::ReaderWriter, Reason::NotAskedFor);
    }

    /// Decides which library the lock belongs to, and settles it if it is this library's.
    #[cold]
    fn decide(&self, site: usize) -> bool {
        self.settle_if(|| {
            let is_left = self.is_left();
            let is_asked_for = !is_left && is_asked_for(self.address(), site);
            if !is_left && !is_asked_for {
                self.leave();
            }
            is_asked_for
        })
    }
}

/// Whether the lock is this library's. Decides that if it has not been decided.
#[inline]
unsafe fn is_ours(rwlock: *mut pthread_rwlock_t, site: usize) -> bool {
    // SAFETY: the caller's promise.
    let object = unsafe { RwObject::of(rwlock) };
    object.mark.is_current() || !object.is_left() && object.decide(site)
}

/// Does the same without deciding: a lock that has not been acquired is being released or destroyed.
#[inline]
unsafe fn has_become_ours(rwlock: *mut pthread_rwlock_t) -> bool {
    // SAFETY: the caller's promise.
    let object = unsafe { RwObject::of(rwlock) };
    // A mark alone proves nothing: a thread may be about to find out that the lock has been left. The holder of the lock
    // knows.
    object.mark.is_current() || !object.is_left() && object.mark.is_used()
}

unsafe extern "C" fn init(
    rwlock: *mut pthread_rwlock_t,
    attributes: *const pthread_rwlockattr_t,
    site: usize,
) -> c_int {
    // SAFETY: the caller's promise.
    let result = unsafe { lifetime::init(rwlock, attributes) };
    if result == 0 {
        // SAFETY: as above; it has been initialised. The initialiser need not have cleared the unused words.
        unsafe {
            let object = RwObject::of(rwlock);
            object.mark.clear();
            object.left().store(0, Relaxed);
            is_ours(rwlock, site);
        }
    }
    result
}

/// Defines a function that calls this library's function or the C library's, depending on the caller.
macro_rules! by_site {
    ($name:ident($($argument:ident: $type:ty),*) = $ours:path, $real:path) => {
        unsafe extern "C" fn $name(rwlock: *mut pthread_rwlock_t, $($argument: $type,)* site: usize) -> c_int {
            // SAFETY: the caller's promise.
            if unsafe { is_ours(rwlock, site) } {
                // SAFETY: as above.
                unsafe { $ours(rwlock, $($argument),*) }
            } else {
                // SAFETY: as above.
                unsafe { $real(rwlock, $($argument),*) }
            }
        }
    };
}

by_site!(read_lock() = read::lock, real::read_lock);
by_site!(try_read_lock() = read::try_lock, real::try_read_lock);
by_site!(timed_read_lock(time: *const timespec) = read::timed_lock, real::timed_read_lock);
by_site!(clock_read_lock(clock: clockid_t, time: *const timespec) = read::clock_lock, real::clock_read_lock);
by_site!(write_lock() = write::lock, real::write_lock);
by_site!(try_write_lock() = write::try_lock, real::try_write_lock);
by_site!(timed_write_lock(time: *const timespec) = write::timed_lock, real::timed_write_lock);
by_site!(clock_write_lock(clock: clockid_t, time: *const timespec) = write::clock_lock, real::clock_write_lock);

unsafe extern "C" fn unlock(rwlock: *mut pthread_rwlock_t) -> c_int {
    // SAFETY: the caller's promise.
    if unsafe { has_become_ours(rwlock) } {
        // SAFETY: as above.
        unsafe { release::unlock(rwlock) }
    } else {
        // SAFETY: as above.
        unsafe { real::unlock(rwlock) }
    }
}

unsafe extern "C" fn destroy(rwlock: *mut pthread_rwlock_t) -> c_int {
    // SAFETY: the caller's promise.
    if unsafe { has_become_ours(rwlock) } {
        // SAFETY: as above.
        unsafe { lifetime::destroy(rwlock) }
    } else {
        // SAFETY: as above.
        unsafe { real::destroy(rwlock) }
    }
}

#[cfg(test)]
mod tests {
    use core::ptr::null;

    use super::*;
    use crate::only::while_asked_for;

    type Words = [AtomicU64; 7];

    /// Locks of the program, in its data.
    static ASKED_FOR: Words = [const { AtomicU64::new(0) }; 7];
    static OTHER: Words = [const { AtomicU64::new(0) }; 7];

    fn pointer(words: &Words) -> *mut pthread_rwlock_t {
        words.as_ptr().cast_mut().cast()
    }

    #[test]
    fn a_lock_is_decided_about_once() {
        assert!(crate::generation::start());
        crate::real::look_up_all();
        let (asked_for, other) = (pointer(&ASKED_FOR), pointer(&OTHER));
        let ours = |lock| {
            // SAFETY: the test's own locks, here and below.
            unsafe { (is_ours(lock, 0), has_become_ours(lock)) }
        };
        // SAFETY: as above.
        let before = unsafe { has_become_ours(asked_for) };
        assert!(!before, "nothing has been decided");
        while_asked_for(&[asked_for.addr()], || {
            for _ in 0..2 {
                assert_eq!(
                    (ours(asked_for), ours(other)),
                    ((true, true), (false, false))
                );
            }
        });
        // The decision stays, whatever is asked for.
        while_asked_for(&[other.addr()], || {
            assert_eq!(
                (ours(asked_for), ours(other)),
                ((true, true), (false, false))
            );
        });
        for lock in [asked_for, other] {
            // SAFETY: as above.
            let results = unsafe {
                let locked = [write_lock(lock, 0), try_read_lock(lock, 0)];
                (locked, unlock(lock), destroy(lock))
            };
            assert_eq!(results, ([0, libc::EBUSY], 0, 0));
        }
        // SAFETY: as above; any bytes are valid.
        let object = |words: &Words| unsafe { RwObject::of(pointer(words)) }.is_left();
        let copy: Words = core::array::from_fn(|place| AtomicU64::new(OTHER[place].load(Relaxed)));
        assert!(object(&OTHER) && !object(&copy) && !object(&ASKED_FOR));
        while_asked_for(&[other.addr()], || {
            // SAFETY: as above, without attributes.
            let initialised = unsafe { init(other, null(), 0) };
            assert_eq!((initialised, ours(other)), (0, (true, true)));
        });
    }
}

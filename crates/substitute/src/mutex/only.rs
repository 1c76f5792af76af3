//! Replaces only some of the mutexes.
//!
//! A mutex that is left to the C library keeps a word in the place where its lock would be. The C library has the list of
//! robust mutexes there, but those are left to it because of their kind, and never marked.

use core::ffi::c_int;
use core::sync::atomic::Ordering::{Acquire, Release};

use libc::{clockid_t, pthread_mutex_t, pthread_mutexattr_t, timespec};

use super::object::MutexObject;
use super::{c11, kinds, lifetime, plain, timed};
use crate::entries::{self, Entry};
use crate::in_place::InPlace;
use crate::only::{is_asked_for, left, with_site};
use crate::real::mutex as real;
use crate::tally::{self, Object, Reason};

/// Redirects the names of mutexes to functions that examine their caller.
pub fn replace_with<L: InPlace>() {
    // SAFETY: E1: each has the signature of its name.
    unsafe {
        entries::send(Entry::MutexInit, init_from::<L> as *mut _);
        entries::send(Entry::MutexLock, lock_from::<L> as *mut _);
        entries::send(Entry::MutexTryLock, try_lock_from::<L> as *mut _);
        entries::send(Entry::MutexTimedLock, timed_lock_from::<L> as *mut _);
        entries::send(Entry::MutexClockLock, clock_lock_from::<L> as *mut _);
        entries::send(Entry::MutexUnlock, unlock::<L> as *mut _);
        entries::send(Entry::MutexDestroy, destroy::<L> as *mut _);
        entries::send(Entry::MtxInit, c11_init_from::<L> as *mut _);
        entries::send(Entry::MtxLock, c11_lock_from::<L> as *mut _);
        entries::send(Entry::MtxTryLock, c11_try_lock_from::<L> as *mut _);
        entries::send(Entry::MtxTimedLock, c11_timed_lock_from::<L> as *mut _);
        entries::send(Entry::MtxUnlock, c11_unlock::<L> as *mut _);
        entries::send(Entry::MtxDestroy, c11_destroy::<L> as *mut _);
    }
}

with_site!(init_from<L: InPlace> = init::<L>, behind 2);
with_site!(lock_from<L: InPlace> = lock::<L>, behind 1);
with_site!(try_lock_from<L: InPlace> = try_lock::<L>, behind 1);
with_site!(timed_lock_from<L: InPlace> = timed_lock::<L>, behind 2);
with_site!(clock_lock_from<L: InPlace> = clock_lock::<L>, behind 3);
with_site!(c11_init_from<L: InPlace> = c11_init::<L>, behind 2);
with_site!(c11_lock_from<L: InPlace> = c11_lock::<L>, behind 1);
with_site!(c11_try_lock_from<L: InPlace> = c11_try_lock::<L>, behind 1);
with_site!(c11_timed_lock_from<L: InPlace> = c11_timed_lock::<L>, behind 2);

/// Whether the mutex is this library's. Decides that if it has not been decided.
#[inline]
unsafe fn is_ours<L: InPlace>(mutex: *mut pthread_mutex_t, site: usize) -> bool {
    // SAFETY: the caller's promise.
    let object = unsafe { MutexObject::of(mutex) };
    // The word of a mutex that is left comes before anything that touches the mark, since that belongs to the C library too.
    object.mark.is_current() || !object.is_left() && object.decide::<L>(site)
}

/// Does the same without deciding: a mutex that has not been acquired is being released or destroyed.
#[inline]
unsafe fn has_become_ours<L: InPlace>(mutex: *mut pthread_mutex_t) -> bool {
    // SAFETY: the caller's promise.
    let object = unsafe { MutexObject::of(mutex) };
    // A mark alone proves nothing: a thread may be about to find out that the mutex has been left. The holder of the mutex
    // knows.
    object.mark.is_current()
        || !object.is_left() && object.mark.is_used() && !kinds::is_passed::<L>(object)
}

impl MutexObject {
    fn is_left(&self) -> bool {
        // Acquire: pairs with the release in `leave`; the C library orders its own accesses since then.
        self.room[0].load(Acquire) == left((&raw const *self).addr())
    }

    fn leave(&self) {
        self.room[0].store(left((&raw const *self).addr()), Release);
        tally::count_passed_through(Object::Mutex, Reason::NotAskedFor);
    }

    /// Decides which library the mutex belongs to, and settles it if it is this library's.
    #[cold]
    fn decide<L: InPlace>(&self, site: usize) -> bool {
        if kinds::is_passed::<L>(self) {
            return false;
        }
        self.settle_if::<L>(|| {
            if !self.is_left() && is_asked_for((&raw const *self).addr(), site) {
                return true;
            }
            if !self.is_left() {
                self.leave();
            }
            false
        })
    }
}

unsafe extern "C" fn init<L: InPlace>(
    mutex: *mut pthread_mutex_t,
    attributes: *const pthread_mutexattr_t,
    site: usize,
) -> c_int {
    // SAFETY: the caller's promise, here and in all functions below.
    let result = unsafe { real::init(mutex, attributes) };
    if result == 0 {
        // SAFETY: as above.
        unsafe { is_ours::<L>(mutex, site) };
    }
    result
}

/// Defines a function that calls this library's function or the C library's, depending on the caller.
macro_rules! by_site {
    ($name:ident($($argument:ident: $type:ty),*) = $ours:path, $real:path) => {
        unsafe extern "C" fn $name<L: InPlace>(mutex: *mut pthread_mutex_t, $($argument: $type,)* site: usize) -> c_int {
            // SAFETY: the caller's promise.
            if unsafe { is_ours::<L>(mutex, site) } {
                // SAFETY: as above.
                unsafe { $ours(mutex, $($argument),*) }
            } else {
                // SAFETY: as above.
                unsafe { $real(mutex, $($argument),*) }
            }
        }
    };
}

by_site!(lock() = plain::lock::<L>, real::lock);
by_site!(try_lock() = plain::try_lock::<L>, real::try_lock);
by_site!(timed_lock(time: *const timespec) = timed::timed_lock::<L>, real::timed_lock);
by_site!(clock_lock(clock: clockid_t, time: *const timespec) = timed::clock_lock::<L>, real::clock_lock);

unsafe extern "C" fn unlock<L: InPlace>(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: the caller's promise.
    if unsafe { has_become_ours::<L>(mutex) } {
        // SAFETY: as above.
        unsafe { plain::unlock::<L>(mutex) }
    } else {
        // SAFETY: as above.
        unsafe { real::unlock(mutex) }
    }
}

unsafe extern "C" fn destroy<L: InPlace>(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: the caller's promise.
    if unsafe { has_become_ours::<L>(mutex) } {
        // SAFETY: as above.
        unsafe { lifetime::destroy::<L>(mutex) }
    } else {
        // SAFETY: as above.
        unsafe { real::destroy(mutex) }
    }
}

unsafe extern "C" fn c11_init<L: InPlace>(
    mutex: *mut pthread_mutex_t,
    kind: c_int,
    site: usize,
) -> c_int {
    // SAFETY: the caller's promise.
    let result = unsafe { real::c11_init(mutex, kind) };
    if result == c11::SUCCESS {
        // SAFETY: as above.
        unsafe { is_ours::<L>(mutex, site) };
    }
    result
}

unsafe extern "C" fn c11_lock<L: InPlace>(mutex: *mut pthread_mutex_t, site: usize) -> c_int {
    // SAFETY: the caller's promise.
    c11::word(unsafe { lock::<L>(mutex, site) })
}

unsafe extern "C" fn c11_try_lock<L: InPlace>(mutex: *mut pthread_mutex_t, site: usize) -> c_int {
    // SAFETY: the caller's promise.
    c11::word(unsafe { try_lock::<L>(mutex, site) })
}

unsafe extern "C" fn c11_timed_lock<L: InPlace>(
    mutex: *mut pthread_mutex_t,
    time: *const timespec,
    site: usize,
) -> c_int {
    // SAFETY: the caller's promise.
    c11::word(unsafe { timed_lock::<L>(mutex, time, site) })
}

unsafe extern "C" fn c11_unlock<L: InPlace>(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: the caller's promise.
    c11::word(unsafe { unlock::<L>(mutex) })
}

unsafe extern "C" fn c11_destroy<L: InPlace>(mutex: *mut pthread_mutex_t) {
    // SAFETY: the caller's promise.
    unsafe { destroy::<L>(mutex) };
}

#[cfg(test)]
mod tests {
    use core::ptr::null;
    use core::sync::atomic::AtomicU64;
    use core::sync::atomic::Ordering::Relaxed;

    use super::*;
    use crate::in_place::Futex3;
    use crate::only::while_asked_for;

    type Words = [AtomicU64; 6];

    /// Mutexes of the program, in its data.
    static ASKED_FOR: Words = [const { AtomicU64::new(0) }; 6];
    static OTHER: Words = [const { AtomicU64::new(0) }; 6];

    fn pointer(words: &Words) -> *mut pthread_mutex_t {
        words.as_ptr().cast_mut().cast()
    }

    #[test]
    fn a_mutex_is_decided_about_once() {
        assert!(crate::generation::start());
        crate::real::look_up_all();
        let (asked_for, other) = (pointer(&ASKED_FOR), pointer(&OTHER));
        let ours = |mutex| {
            // SAFETY: the test's own mutexes, here and below.
            unsafe {
                (
                    is_ours::<Futex3>(mutex, 0),
                    has_become_ours::<Futex3>(mutex),
                )
            }
        };
        // SAFETY: as above.
        let before = unsafe { has_become_ours::<Futex3>(asked_for) };
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
        for mutex in [asked_for, other] {
            // SAFETY: as above.
            let results = unsafe {
                let locked = [lock::<Futex3>(mutex, 0), try_lock::<Futex3>(mutex, 0)];
                (locked, unlock::<Futex3>(mutex), destroy::<Futex3>(mutex))
            };
            assert_eq!(results, ([0, libc::EBUSY], 0, 0));
        }
        // SAFETY: as above; any bytes are valid.
        let object = |words: &Words| unsafe { MutexObject::of(pointer(words)) }.is_left();
        let copy: Words = core::array::from_fn(|place| AtomicU64::new(OTHER[place].load(Relaxed)));
        assert!(object(&OTHER) && !object(&copy) && !object(&ASKED_FOR));
        while_asked_for(&[asked_for.addr()], || {
            // SAFETY: as above, without attributes.
            let initialised = unsafe { init::<Futex3>(asked_for, null(), 0) };
            assert_eq!((initialised, ours(asked_for)), (0, (true, true)));
        });
    }
}

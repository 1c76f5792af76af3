//! Mutexes whose holds may be sped up (`speed_up`). All of them are replaced, since all threads pay; which of them are chosen is decided at
//! the first use of each.

use core::ffi::c_int;

use libc::{clockid_t, pthread_mutex_t, pthread_mutexattr_t, timespec};

use super::object::MutexObject;
use super::{c11, kinds, lifetime, plain, timed};
use crate::entries::{self, Entry};
use crate::in_place::SpedUp;
use crate::only::{is_asked_for, is_on, with_site};
use crate::real::mutex as real;
use crate::sandbox;
use crate::tally::{self, Object, Reason};

/// Redirects the names of mutexes.
pub fn replace_sped_up() {
    super::waiting::count_waiters(true);
    // SAFETY: E1: each has the signature of its name.
    unsafe {
        entries::send(Entry::MutexInit, init_from as *mut _);
        entries::send(Entry::MutexLock, lock_from as *mut _);
        entries::send(Entry::MutexTryLock, try_lock_from as *mut _);
        entries::send(Entry::MutexTimedLock, timed_lock_from as *mut _);
        entries::send(Entry::MutexClockLock, clock_lock_from as *mut _);
        entries::send(Entry::MutexUnlock, plain::unlock::<SpedUp> as *mut _);
        entries::send(Entry::MutexDestroy, lifetime::destroy::<SpedUp> as *mut _);
        entries::send(Entry::MtxInit, c11_init_from as *mut _);
        entries::send(Entry::MtxLock, c11_lock_from as *mut _);
        entries::send(Entry::MtxTryLock, c11_try_lock_from as *mut _);
        entries::send(Entry::MtxTimedLock, c11_timed_lock_from as *mut _);
        entries::send(Entry::MtxUnlock, c11::unlock::<SpedUp> as *mut _);
        entries::send(Entry::MtxDestroy, c11::destroy::<SpedUp> as *mut _);
    }
}

with_site!(init_from = init, behind 2);
with_site!(lock_from = lock, behind 1);
with_site!(try_lock_from = try_lock, behind 1);
with_site!(timed_lock_from = timed_lock, behind 2);
with_site!(clock_lock_from = clock_lock, behind 3);
with_site!(c11_init_from = c11_init, behind 2);
with_site!(c11_lock_from = c11_lock, behind 1);
with_site!(c11_try_lock_from = c11_try_lock, behind 1);
with_site!(c11_timed_lock_from = c11_timed_lock, behind 2);

/// Decides about the mutex, if that has not been done, for a call that returns to `site`.
#[inline]
unsafe fn decide(mutex: *mut pthread_mutex_t, site: usize) {
    // SAFETY: the caller's promise.
    let object = unsafe { MutexObject::of(mutex) };
    // SAFETY: settled.
    if !object.mark.is_current() || !unsafe { object.lock::<SpedUp>() }.is_decided() {
        decide_now(object, site);
    }
}

#[cold]
fn decide_now(object: &MutexObject, site: usize) {
    if kinds::is_passed::<SpedUp>(object) {
        return;
    }
    object.settle::<SpedUp>();
    // The question may take system calls, and a program that has given them up would be ended for them.
    let can_ask = !is_on() || !sandbox::is_entered();
    let is_chosen = can_ask && (!is_on() || is_asked_for((&raw const *object).addr(), site));
    // SAFETY: settled above.
    if unsafe { object.lock::<SpedUp>() }.decide(is_chosen) && !is_chosen {
        tally::count_passed_through(Object::Mutex, Reason::NotAskedFor);
    }
}

unsafe extern "C" fn init(
    mutex: *mut pthread_mutex_t,
    attributes: *const pthread_mutexattr_t,
    site: usize,
) -> c_int {
    // SAFETY: the caller's promise, here and in all functions below.
    let result = unsafe { real::init(mutex, attributes) };
    if result == 0 {
        // SAFETY: as above.
        unsafe { decide(mutex, site) };
    }
    result
}

unsafe extern "C" fn c11_init(mutex: *mut pthread_mutex_t, kind: c_int, site: usize) -> c_int {
    // SAFETY: the caller's promise.
    let result = unsafe { real::c11_init(mutex, kind) };
    if result == c11::SUCCESS {
        // SAFETY: as above.
        unsafe { decide(mutex, site) };
    }
    result
}

/// Defines a function that decides first.
macro_rules! decided {
    ($name:ident($($argument:ident: $type:ty),*) = $target:path) => {
        unsafe extern "C" fn $name(mutex: *mut pthread_mutex_t, $($argument: $type,)* site: usize) -> c_int {
            // SAFETY: the caller's promise.
            unsafe {
                decide(mutex, site);
                $target(mutex, $($argument),*)
            }
        }
    };
}

decided!(lock() = plain::lock::<SpedUp>);
decided!(try_lock() = plain::try_lock::<SpedUp>);
decided!(timed_lock(time: *const timespec) = timed::timed_lock::<SpedUp>);
decided!(clock_lock(clock: clockid_t, time: *const timespec) = timed::clock_lock::<SpedUp>);
decided!(c11_lock() = c11::lock::<SpedUp>);
decided!(c11_try_lock() = c11::try_lock::<SpedUp>);
decided!(c11_timed_lock(time: *const timespec) = c11::timed_lock::<SpedUp>);

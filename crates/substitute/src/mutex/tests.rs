//! The program's kinds of mutexes with a lock of this library, called as the exports call them.

use core::ffi::c_int;
use core::ptr::null;
use core::sync::atomic::Ordering::Relaxed;
use std::thread;

use libc::{EAGAIN, EBUSY, EDEADLK, EINVAL, EPERM, ETIMEDOUT, pthread_mutex_t, timespec};

use super::kinds::is_passed;
use super::object::MutexObject;
use super::owner::NOBODY;
use super::{c11, lifetime, plain, timed};
use crate::in_place::{Futex3, Gate};
use crate::{generation, real};

/// A mutex of the program, which lives as long as the tests.
#[derive(Clone, Copy)]
struct Mutex(usize);

impl Mutex {
    fn new(kind: c_int) -> Self {
        assert!(generation::start());
        real::look_up_all();
        let mutex =
            Self(Box::into_raw(Box::new(libc::PTHREAD_MUTEX_INITIALIZER)).expose_provenance());
        mutex.object().kind.store(kind.cast_unsigned(), Relaxed);
        mutex
    }

    fn pointer(self) -> *mut pthread_mutex_t {
        core::ptr::with_exposed_provenance_mut(self.0)
    }

    fn object(self) -> &'static MutexObject {
        // SAFETY: made in `new`, as a static initialiser makes it.
        unsafe { MutexObject::of(self.pointer()) }
    }

    fn lock(self) -> c_int {
        // SAFETY: the test's own mutex, here and below.
        unsafe { plain::lock::<Futex3>(self.pointer()) }
    }

    fn try_lock(self) -> c_int {
        // SAFETY: as above.
        unsafe { plain::try_lock::<Futex3>(self.pointer()) }
    }

    fn unlock(self) -> c_int {
        // SAFETY: as above.
        unsafe { plain::unlock::<Futex3>(self.pointer()) }
    }

    fn destroy(self) -> c_int {
        // SAFETY: as above.
        unsafe { lifetime::destroy::<Futex3>(self.pointer()) }
    }

    fn timed_lock(self, tv_sec: i64, tv_nsec: i64) -> c_int {
        let time = timespec { tv_sec, tv_nsec };
        // SAFETY: as above, and its own time.
        unsafe { timed::timed_lock::<Futex3>(self.pointer(), &raw const time) }
    }

    fn clock_lock(self, clock: c_int) -> c_int {
        let time = timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: as above.
        unsafe { timed::clock_lock::<Futex3>(self.pointer(), clock, &raw const time) }
    }
}

/// Returns the result of `call` in another thread.
fn elsewhere(call: impl FnOnce() -> c_int + Send) -> c_int {
    thread::scope(|scope| scope.spawn(call).join().unwrap())
}

#[test]
fn a_normal_mutex_is_held_by_nobody_in_particular() {
    for kind in [0, libc::PTHREAD_MUTEX_ADAPTIVE_NP, 512] {
        let mutex = Mutex::new(kind);
        assert_eq!((mutex.lock(), mutex.try_lock()), (0, EBUSY));
        assert_eq!(mutex.object().is_plain_and_settled(), kind == 0);
        assert_eq!(mutex.object().owner.load(Relaxed), NOBODY);
        assert_eq!(elsewhere(|| mutex.unlock()), 0);
        // A release too many changes nothing.
        assert_eq!((mutex.unlock(), mutex.try_lock()), (0, 0));
        assert_eq!((mutex.try_lock(), mutex.unlock()), (EBUSY, 0));
        assert_eq!((mutex.lock(), mutex.unlock()), (0, 0));
    }
}

#[test]
fn a_recursive_mutex_is_released_as_often_as_it_was_acquired() {
    let mutex = Mutex::new(libc::PTHREAD_MUTEX_RECURSIVE);
    assert_eq!(mutex.unlock(), EPERM);
    assert_eq!([mutex.lock(), mutex.lock(), mutex.try_lock()], [0; 3]);
    assert_eq!(mutex.object().count.load(Relaxed), 3);
    assert_eq!(elsewhere(|| mutex.try_lock()), EBUSY);
    assert_eq!(elsewhere(|| mutex.unlock()), EPERM);
    assert_eq!([mutex.unlock(), mutex.unlock()], [0; 2]);
    assert_eq!(elsewhere(|| mutex.try_lock()), EBUSY, "once is left");
    assert_eq!((mutex.unlock(), mutex.unlock()), (0, EPERM));
    assert_eq!(elsewhere(|| mutex.try_lock() + mutex.unlock()), 0);
    assert_eq!(mutex.lock(), 0);
    mutex.object().count.store(u32::MAX, Relaxed);
    assert_eq!((mutex.lock(), mutex.try_lock()), (EAGAIN, EAGAIN));
}

#[test]
fn an_error_checking_mutex_reports_mistakes() {
    let mutex = Mutex::new(libc::PTHREAD_MUTEX_ERRORCHECK);
    assert_eq!(mutex.unlock(), EPERM);
    assert_eq!((mutex.lock(), mutex.lock()), (0, EDEADLK));
    assert_eq!(mutex.try_lock(), EBUSY);
    assert_eq!(elsewhere(|| mutex.unlock()), EPERM);
    assert_eq!((mutex.unlock(), mutex.unlock()), (0, EPERM));
    assert_eq!((mutex.try_lock(), mutex.lock()), (0, EDEADLK));
    assert_eq!(mutex.unlock(), 0);
}

#[test]
fn other_mutexes_are_the_c_librarys() {
    let mutex = Mutex::new(128);
    assert_eq!((mutex.lock(), mutex.try_lock()), (0, EBUSY));
    assert_eq!(mutex.timed_lock(0, 0), ETIMEDOUT);
    assert_eq!(mutex.clock_lock(libc::CLOCK_MONOTONIC), ETIMEDOUT);
    assert_eq!(
        (mutex.unlock(), mutex.try_lock(), mutex.unlock()),
        (0, 0, 0)
    );
    assert!(!mutex.object().mark.is_used());
    assert_eq!(mutex.destroy(), 0);
    // The gate has no room in any kind but the plain one.
    for (kind, passed) in [
        (0, false),
        (512, false),
        (1, true),
        (2, true),
        (3, true),
        (16, true),
    ] {
        assert_eq!(
            is_passed::<Gate>(Mutex::new(kind).object()),
            passed,
            "{kind}"
        );
        let passed = kind == 16;
        assert_eq!(
            is_passed::<Futex3>(Mutex::new(kind).object()),
            passed,
            "{kind}"
        );
    }
}

#[test]
fn a_deadline_counts_only_if_there_is_something_to_wait_for() {
    let mutex = Mutex::new(0);
    assert_eq!(
        (mutex.timed_lock(0, -1), mutex.timed_lock(0, 0)),
        (0, ETIMEDOUT)
    );
    assert_eq!(mutex.timed_lock(0, 1_000_000_000), EINVAL);
    assert_eq!(mutex.timed_lock(-1, -1), ETIMEDOUT);
    assert_eq!(mutex.clock_lock(libc::CLOCK_MONOTONIC), ETIMEDOUT);
    assert_eq!(mutex.unlock(), 0);
    assert_eq!(mutex.clock_lock(libc::CLOCK_PROCESS_CPUTIME_ID), EINVAL);
    assert_eq!(
        (mutex.clock_lock(libc::CLOCK_REALTIME), mutex.try_lock()),
        (0, EBUSY)
    );
    let recursive = Mutex::new(libc::PTHREAD_MUTEX_RECURSIVE);
    assert_eq!(
        (recursive.timed_lock(0, 0), recursive.timed_lock(0, 0)),
        (0, 0)
    );
    assert_eq!((recursive.unlock(), recursive.unlock()), (0, 0));
    assert_eq!(recursive.unlock(), EPERM);
    let checking = Mutex::new(libc::PTHREAD_MUTEX_ERRORCHECK);
    assert_eq!(
        (checking.timed_lock(0, 0), checking.timed_lock(0, 0)),
        (0, EDEADLK)
    );
    let free = Mutex::new(0);
    // SAFETY: the test's own mutex, and no time.
    let for_ever = unsafe { timed::timed_lock::<Futex3>(free.pointer(), null()) };
    assert_eq!((for_ever, free.try_lock()), (0, EBUSY));
}

#[test]
fn a_mutex_with_users_is_not_destroyed() {
    let mutex = Mutex::new(0);
    assert_eq!(
        (mutex.lock(), mutex.destroy(), mutex.unlock()),
        (0, EBUSY, 0)
    );
    mutex.object().waiting.store(1, Relaxed);
    assert_eq!(
        mutex.destroy(),
        EBUSY,
        "a thread waits for a condition with it"
    );
    mutex.object().waiting.store(0, Relaxed);
    assert_eq!(mutex.destroy(), 0);
    assert_eq!(mutex.object().kind(), -1);
    assert!(!mutex.object().mark.is_used());
    assert_eq!(Mutex::new(0).destroy(), 0, "it was never used");
}

#[test]
fn results_have_other_names_in_c11() {
    let words = [0, EBUSY, EINVAL, libc::ENOMEM, ETIMEDOUT].map(c11::word);
    assert_eq!(words, [0, 1, 2, 3, 4]);
    let mutex = Mutex::new(0);
    // SAFETY: the test's own mutex, here and below.
    let (first, second) = unsafe {
        let first = c11::lock::<Futex3>(mutex.pointer());
        (first, c11::try_lock::<Futex3>(mutex.pointer()))
    };
    assert_eq!((first, second), (0, 1));
    let past = timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: as above, and its own time.
    let (timed, unlocked) = unsafe {
        let timed = c11::timed_lock::<Futex3>(mutex.pointer(), &raw const past);
        (timed, c11::unlock::<Futex3>(mutex.pointer()))
    };
    assert_eq!((timed, unlocked), (4, 0));
    // SAFETY: as above.
    unsafe { c11::destroy::<Futex3>(mutex.pointer()) };
    assert_eq!(mutex.object().kind(), -1);
}

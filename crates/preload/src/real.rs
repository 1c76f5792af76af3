//! The functions that our exports stand in front of.
//!
//! They are looked up when first needed, because locks are taken before our constructor has run. The look-up is
//! idempotent and every thread that needs it does it for itself: waiting for another thread to finish would be
//! waiting, inside a lock function, for somebody who may need the dynamic linker's lock that we hold.
//!
//! dlsym(3) allocates when it fails, and an interposed `malloc` may take a mutex and so come back to us on the same
//! thread. Hence the order below: first the functions that every C library has, whose look-up does not fail, and
//! only then those that an older one lacks.
//!
//! # Invariants
//!
//! - **R1** A pointer stored here is null or the address of a function with the type it is read as.
//! - **R2** Once [`resolve`] has returned on a thread, that thread finds no pointer of [`lock`], [`trylock`] and the
//!   condition variable's functions null.

use core::ffi::{CStr, c_int, c_void};
use core::mem::transmute;
use core::ptr::null_mut;
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::Relaxed;

use libc::{clockid_t, pthread_mutex_t, timespec};

/// `pthread_mutex_lock`, `pthread_mutex_trylock`.
pub type MutexFn = unsafe extern "C" fn(*mut pthread_mutex_t) -> c_int;
/// `pthread_mutex_timedlock`.
pub type TimedLockFn = unsafe extern "C" fn(*mut pthread_mutex_t, *const timespec) -> c_int;
/// `pthread_mutex_clocklock`.
pub type ClockLockFn =
    unsafe extern "C" fn(*mut pthread_mutex_t, clockid_t, *const timespec) -> c_int;

/// The default version of a symbol is right for all functions but those of condition variables: their old form,
/// with another layout of `pthread_cond_t`, is still there, and dlsym(3) may find it first.
#[cfg(target_arch = "x86_64")]
const CONDITION_VERSION: &CStr = c"GLIBC_2.3.2";
/// On this architecture there never was an old form; this is its first version of everything.
#[cfg(target_arch = "aarch64")]
const CONDITION_VERSION: &CStr = c"GLIBC_2.17";

static LOCK: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
static TRYLOCK: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
static COND_WAIT: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
static COND_TIMEDWAIT: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
static TIMEDLOCK: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
// Since version 2.30 of the GNU C library: null before.
static CLOCKLOCK: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
static COND_CLOCKWAIT: AtomicPtr<c_void> = AtomicPtr::new(null_mut());

// All orderings of these pointers are relaxed: what they point to is code, which was there before us.

/// Looks everything up, in every call again, and leaves `errno` as it was.
#[cold]
pub fn resolve() {
    // SAFETY: the C library gives every thread its own `errno`.
    let errno = unsafe { libc::__errno_location() };
    // SAFETY: as above.
    let before = unsafe { *errno };
    find(&LOCK, c"pthread_mutex_lock", None);
    find(&TRYLOCK, c"pthread_mutex_trylock", None);
    find(&COND_WAIT, c"pthread_cond_wait", Some(CONDITION_VERSION));
    find(
        &COND_TIMEDWAIT,
        c"pthread_cond_timedwait",
        Some(CONDITION_VERSION),
    );
    find(&TIMEDLOCK, c"pthread_mutex_timedlock", None);
    find(&CLOCKLOCK, c"pthread_mutex_clocklock", None);
    find(&COND_CLOCKWAIT, c"pthread_cond_clockwait", None);
    // SAFETY: as above.
    unsafe { *errno = before };
}

fn find(place: &AtomicPtr<c_void>, name: &CStr, version: Option<&CStr>) {
    if !place.load(Relaxed).is_null() {
        return;
    }
    // The version first, and without it if there is none of that name: another preloaded library that stands in
    // front of these functions has no versions at all, and dlvsym(3) passes it over only if it must.
    let mut found = null_mut();
    if let Some(version) = version {
        // SAFETY: both strings end with a zero byte.
        found = unsafe { libc::dlvsym(libc::RTLD_NEXT, name.as_ptr(), version.as_ptr()) };
    }
    if found.is_null() {
        // SAFETY: the string ends with a zero byte.
        found = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) };
    }
    place.store(found, Relaxed);
}

/// `pthread_mutex_lock`; `None` before [`resolve`].
#[inline(always)]
pub fn lock() -> Option<MutexFn> {
    // SAFETY: R1; null is `None`.
    unsafe { transmute::<*mut c_void, Option<MutexFn>>(LOCK.load(Relaxed)) }
}

/// `pthread_mutex_trylock`; `None` before [`resolve`].
#[inline(always)]
pub fn trylock() -> Option<MutexFn> {
    // SAFETY: R1; null is `None`.
    unsafe { transmute::<*mut c_void, Option<MutexFn>>(TRYLOCK.load(Relaxed)) }
}

/// `pthread_mutex_timedlock`; `None` before [`resolve`].
pub fn timedlock() -> Option<TimedLockFn> {
    // SAFETY: R1; null is `None`.
    unsafe { transmute::<*mut c_void, Option<TimedLockFn>>(TIMEDLOCK.load(Relaxed)) }
}

/// `pthread_mutex_clocklock`; `None` before [`resolve`], or if the C library has none.
pub fn clocklock() -> Option<ClockLockFn> {
    // SAFETY: R1; null is `None`.
    unsafe { transmute::<*mut c_void, Option<ClockLockFn>>(CLOCKLOCK.load(Relaxed)) }
}

/// The address of a function that waits for a condition, looked up if it has not been.
pub fn condition_wait(which: ConditionWait) -> *const c_void {
    let place = match which {
        ConditionWait::Wait => &COND_WAIT,
        ConditionWait::TimedWait => &COND_TIMEDWAIT,
        ConditionWait::ClockWait => &COND_CLOCKWAIT,
    };
    if place.load(Relaxed).is_null() {
        resolve();
    }
    place.load(Relaxed)
}

/// One of the functions that wait for a condition.
#[derive(Clone, Copy)]
pub enum ConditionWait {
    /// `pthread_cond_wait`.
    Wait,
    /// `pthread_cond_timedwait`.
    TimedWait,
    /// `pthread_cond_clockwait`.
    ClockWait,
}

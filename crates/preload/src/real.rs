//! The functions that our exports stand in front of.
//!
//! They are looked up when first needed, because locks are taken before our constructor has run. The look-up is
//! idempotent and every thread that needs it does it for itself: waiting for another thread to finish would be
//! waiting, inside a lock function, for somebody who may need the dynamic linker's lock that we hold.
//!
//! dlsym(3) allocates when it fails, and an interposed `malloc` may take a mutex and so come back to us on the same
//! thread. Hence before any look-up that may fail come those of the functions that `malloc` may call, which every C
//! library has.
//!
//! # Invariants
//!
//! - **R1** The pointer in a [`Function`] is null or the address of a function with the type it is read as.

use core::ffi::{CStr, c_int, c_uint, c_void};
use core::marker::PhantomData;
use core::mem::transmute_copy;
use core::ptr::null_mut;
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::Relaxed;

use libc::{
    clockid_t, pthread_cond_t, pthread_condattr_t, pthread_mutex_t, pthread_mutexattr_t, timespec,
};

/// The default version of a symbol is right for all functions but those of condition variables: their old form,
/// with another layout of `pthread_cond_t`, is still there, and dlsym(3) may find it first.
#[cfg(target_arch = "x86_64")]
const CONDITION_VERSION: &CStr = c"GLIBC_2.3.2";
/// On this architecture there never was an old form; this is its first version of everything.
#[cfg(target_arch = "aarch64")]
const CONDITION_VERSION: &CStr = c"GLIBC_2.17";

/// A function of the C library, or of the next preloaded library. `F` is the type of a pointer to it.
pub struct Function<F> {
    place: AtomicPtr<c_void>,
    name: &'static CStr,
    version: Option<&'static CStr>,
    signature: PhantomData<F>,
}

impl<F: Copy> Function<F> {
    /// The function of this name, in its default version.
    pub const fn named(name: &'static CStr) -> Self {
        Self {
            place: AtomicPtr::new(null_mut()),
            name,
            version: None,
            signature: PhantomData,
        }
    }

    const fn versioned(name: &'static CStr, version: &'static CStr) -> Self {
        Self {
            version: Some(version),
            ..Self::named(name)
        }
    }

    /// The function, if it has been looked up.
    #[inline(always)]
    pub fn known(&self) -> Option<F> {
        const { assert!(size_of::<Option<F>>() == size_of::<*mut c_void>()) };
        // Relaxed: what it points to is code, which was there before us.
        let place = self.place.load(Relaxed);
        // SAFETY: R1; null is `None`, as of every pointer to a function.
        unsafe { transmute_copy::<*mut c_void, Option<F>>(&place) }
    }

    /// The function, looked up if it has not been. `None` if this C library has none.
    #[inline]
    pub fn get(&self) -> Option<F> {
        self.known().or_else(|| {
            self.look_up();
            self.known()
        })
    }

    /// Its address, or null.
    pub fn address(&self) -> *const c_void {
        if self.known().is_none() {
            self.look_up();
        }
        self.place.load(Relaxed)
    }

    /// Leaves `errno` as it was.
    #[cold]
    #[inline(never)]
    fn look_up(&self) {
        // SAFETY: the C library gives every thread its own `errno`.
        let errno = unsafe { libc::__errno_location() };
        // SAFETY: as above.
        let before = unsafe { *errno };
        MUTEX_LOCK.find();
        MUTEX_TRYLOCK.find();
        MUTEX_UNLOCK.find();
        MUTEX_INIT.find();
        COND_WAIT.find();
        COND_SIGNAL.find();
        COND_BROADCAST.find();
        self.find();
        // SAFETY: as above.
        unsafe { *errno = before };
    }

    fn find(&self) {
        if !self.place.load(Relaxed).is_null() {
            return;
        }
        // The version first, and without it if there is none of that name: another preloaded library that stands in
        // front of these functions has no versions at all, and dlvsym(3) passes it over only if it must.
        let mut found = null_mut();
        if let Some(version) = self.version {
            // SAFETY: both strings end with a zero byte.
            found = unsafe { libc::dlvsym(libc::RTLD_NEXT, self.name.as_ptr(), version.as_ptr()) };
        }
        if found.is_null() {
            // SAFETY: the string ends with a zero byte.
            found = unsafe { libc::dlsym(libc::RTLD_NEXT, self.name.as_ptr()) };
        }
        self.place.store(found, Relaxed);
    }
}

/// `pthread_mutex_lock`, `pthread_mutex_trylock`, `pthread_mutex_unlock`.
pub type MutexFn = unsafe extern "C" fn(*mut pthread_mutex_t) -> c_int;
/// `pthread_mutex_init`.
pub type MutexInitFn =
    unsafe extern "C" fn(*mut pthread_mutex_t, *const pthread_mutexattr_t) -> c_int;
/// `pthread_mutex_timedlock`.
pub type TimedLockFn = unsafe extern "C" fn(*mut pthread_mutex_t, *const timespec) -> c_int;
/// `pthread_mutex_clocklock`.
pub type ClockLockFn =
    unsafe extern "C" fn(*mut pthread_mutex_t, clockid_t, *const timespec) -> c_int;
/// `pthread_cond_init`.
pub type CondInitFn = unsafe extern "C" fn(*mut pthread_cond_t, *const pthread_condattr_t) -> c_int;
/// `pthread_cond_signal`, `pthread_cond_broadcast`.
pub type CondFn = unsafe extern "C" fn(*mut pthread_cond_t) -> c_int;
/// A function that is only ever called from assembly.
pub type Opaque = unsafe extern "C" fn(c_uint);

pub static MUTEX_LOCK: Function<MutexFn> = Function::named(c"pthread_mutex_lock");
pub static MUTEX_TRYLOCK: Function<MutexFn> = Function::named(c"pthread_mutex_trylock");
pub static MUTEX_UNLOCK: Function<MutexFn> = Function::named(c"pthread_mutex_unlock");
pub static MUTEX_INIT: Function<MutexInitFn> = Function::named(c"pthread_mutex_init");
pub static MUTEX_TIMEDLOCK: Function<TimedLockFn> = Function::named(c"pthread_mutex_timedlock");
/// Of the GNU C library since 2.30.
pub static MUTEX_CLOCKLOCK: Function<ClockLockFn> = Function::named(c"pthread_mutex_clocklock");
pub static COND_INIT: Function<CondInitFn> =
    Function::versioned(c"pthread_cond_init", CONDITION_VERSION);
pub static COND_WAIT: Function<Opaque> =
    Function::versioned(c"pthread_cond_wait", CONDITION_VERSION);
pub static COND_TIMEDWAIT: Function<Opaque> =
    Function::versioned(c"pthread_cond_timedwait", CONDITION_VERSION);
/// Of the GNU C library since 2.30.
pub static COND_CLOCKWAIT: Function<Opaque> = Function::named(c"pthread_cond_clockwait");
pub static COND_SIGNAL: Function<CondFn> =
    Function::versioned(c"pthread_cond_signal", CONDITION_VERSION);
pub static COND_BROADCAST: Function<CondFn> =
    Function::versioned(c"pthread_cond_broadcast", CONDITION_VERSION);

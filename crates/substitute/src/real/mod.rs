//! The functions of the C library, or of the next preloaded library, for objects that are passed through.
//!
//! The first call that reaches this library, of whatever kind, looks all of them up, since locks are taken before any
//! constructor has run. dlsym(3) allocates when it fails, and an interposed `malloc` may take a mutex and so call this library
//! again on the same thread. Therefore the functions that `malloc` may call, which every C library has, come first; and a
//! function is not looked up again during its own look-up.
//!
//! # Invariants
//!
//! - **R1** A place in [`REAL`] is null, [`BEING_LOOKED_UP`], [`ABSENT`] or the address of the function of that name.

pub mod mutex;
pub mod rwlock;
pub mod spin;
mod wrapped;

use core::ffi::{CStr, c_int, c_void};
use core::ptr::{null_mut, without_provenance_mut};
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::Relaxed;

use crate::entries::{COUNT, NAMES};

pub(crate) use wrapped::wrapped;

/// The version of condition variables since glibc 2.3.2. Without it, dlsym(3) may find the older functions, whose objects are
/// different.
#[cfg(target_arch = "x86_64")]
const CONDITION_VERSION: &CStr = c"GLIBC_2.3.2";
#[cfg(not(target_arch = "x86_64"))]
const CONDITION_VERSION: &CStr = c"GLIBC_2.17";

const BEING_LOOKED_UP: *mut c_void = without_provenance_mut(1);
const ABSENT: *mut c_void = without_provenance_mut(2);

static REAL: [AtomicPtr<c_void>; COUNT] = [const { AtomicPtr::new(null_mut()) }; COUNT];

/// Returns the address of the function at `index` of [`NAMES`], or null until its look-up is complete. If this C library does
/// not have it, the result is a function that returns `ENOSYS`.
#[inline]
pub fn address(index: usize) -> *mut c_void {
    // Relaxed: it points to code, which existed before this thread.
    match REAL[index].load(Relaxed) {
        BEING_LOOKED_UP => null_mut(),
        ABSENT => absent as *mut c_void,
        function => function,
    }
}

/// Called by a program that found, through this library, a name that its C library does not have.
extern "C" fn absent() -> c_int {
    libc::ENOSYS
}

/// Looks up all functions that no thread has looked up or is looking up right now. Waiting for another thread would mean
/// waiting, inside a lock function, for a thread that may need the dynamic linker's lock held here.
pub fn look_up_all() {
    // SAFETY: the C library gives every thread its own `errno`.
    let errno = unsafe { libc::__errno_location() };
    // SAFETY: as above.
    let before = unsafe { *errno };
    for (name, place) in NAMES.iter().zip(&REAL) {
        // Relaxed throughout: the result is code.
        if place
            .compare_exchange(null_mut(), BEING_LOOKED_UP, Relaxed, Relaxed)
            .is_ok()
        {
            let found = look_up(name);
            place.store(if found.is_null() { ABSENT } else { found }, Relaxed);
        }
    }
    // SAFETY: as above.
    unsafe { *errno = before };
}

fn look_up(name: &CStr) -> *mut c_void {
    let mut found = null_mut();
    // The symbol is looked up first with the version, then without it. Another preloaded library that interposes these
    // functions has no versions at all. The excluded function is newer than the old objects.
    let has_old_version =
        name.to_bytes().starts_with(b"pthread_cond_") && name != c"pthread_cond_clockwait";
    if has_old_version {
        // SAFETY: both strings end with a zero byte.
        found = unsafe { libc::dlvsym(libc::RTLD_NEXT, name.as_ptr(), CONDITION_VERSION.as_ptr()) };
    }
    if found.is_null() {
        // SAFETY: the string ends with a zero byte.
        found = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) };
    }
    found
}

/// Defines callers of real functions: `name = row of the table(arguments)`. All return a `c_int`.
macro_rules! real_function {
    (@one $(#[$doc:meta])* $name:ident = $entry:ident($($argument:ident: $type:ty),+)) => {
        #[doc = concat!("The C library's function in row `", stringify!($entry), "`.")]
        $(#[$doc])*
        ///
        /// # Safety
        /// The arguments are the program's own, and the object belongs to the C library. The library has been started.
        #[inline]
        pub unsafe fn $name($($argument: $type),+) -> core::ffi::c_int {
            let place = $crate::real::address($crate::entries::Entry::$entry as usize);
            if place.is_null() {
                return libc::ENOSYS;
            }
            type Real = unsafe extern "C" fn($($type),+) -> core::ffi::c_int;
            // SAFETY: R1: the function of that name has this type.
            let function = unsafe { core::mem::transmute::<*mut core::ffi::c_void, Real>(place) };
            // SAFETY: the caller's promise.
            unsafe { function($($argument),+) }
        }
    };
    ($($(#[$doc:meta])* $name:ident = $entry:ident $arguments:tt);+ $(;)?) => {
        $($crate::real::real_function!(@one $(#[$doc])* $name = $entry $arguments);)+
    };
}
pub(crate) use real_function;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entries::Entry;

    #[test]
    fn the_c_librarys_functions_are_found_and_errno_stays() {
        // SAFETY: the C library gives every thread its own `errno`.
        unsafe { *libc::__errno_location() = 77 };
        look_up_all();
        // SAFETY: as above.
        assert_eq!(unsafe { *libc::__errno_location() }, 77);
        for (index, name) in NAMES.iter().enumerate() {
            assert!(!address(index).is_null(), "{name:?}");
        }
        // SAFETY: the string ends with a zero byte.
        let lock = unsafe { libc::dlsym(libc::RTLD_NEXT, c"pthread_mutex_lock".as_ptr()) };
        assert_eq!(address(Entry::MutexLock as usize), lock);
        let name = c"pthread_cond_wait";
        // SAFETY: as above.
        let new =
            unsafe { libc::dlvsym(libc::RTLD_NEXT, name.as_ptr(), CONDITION_VERSION.as_ptr()) };
        assert_eq!(address(Entry::ConditionWait as usize), new);
    }

    #[test]
    fn what_is_not_there_says_so() {
        assert_eq!(absent(), libc::ENOSYS);
        assert!(look_up(c"pthread_no_such_function").is_null());
        assert!(look_up(c"pthread_cond_no_such_function").is_null());
    }
}

//! The locks of the catalogue, chosen by name, as opaque objects. `include/locktoll_locks.h` describes them for C
//! programmers.
//!
//! They are for comparing locks in a C program. The module exists on Linux, with the feature `c-api`. This command
//! builds the library that has these functions:
//!
//! ```text
//! cargo rustc -p locktoll-locks --release --features c-api --crate-type staticlib
//! ```
//!
//! Each call branches on the lock's kind, which costs about a nanosecond more than the lock itself.
//!
//! # Invariants
//!
//! - **C1** A pointer returned by [`locktoll_lock_create`] is a leaked `Box` until [`locktoll_lock_destroy`] takes it back.

use core::ffi::{CStr, c_char};
use core::ptr::null;
use std::boxed::Box;

use crate::catalogue::{Catalogued, LOCKS, parse};
use crate::{RawLock, for_each_lock};

macro_rules! any_lock {
    ($($lock:ident $name:literal,)+) => {
        /// A lock of any kind.
        ///
        /// ```
        /// use locktoll_locks::by_name::{locktoll_lock, locktoll_lock_create, locktoll_lock_destroy};
        ///
        /// // SAFETY: a C string.
        /// let lock: *mut locktoll_lock = unsafe { locktoll_lock_create(c"ticket".as_ptr()) };
        /// // SAFETY: created above.
        /// assert!(matches!(unsafe { &*lock }, locktoll_lock::Ticket(_)));
        /// // SAFETY: created above, and not used after this.
        /// unsafe { locktoll_lock_destroy(lock) };
        /// ```
        #[derive(Debug)]
        #[expect(non_camel_case_types, reason = "C's name for it")]
        pub enum locktoll_lock {
            $(
                #[doc = $name]
                $lock(crate::$lock),
            )+
        }

        /// The names of all kinds as C strings, in the order of the crate's list.
        const NAMES: &[&CStr] = &[$(
            match CStr::from_bytes_with_nul(concat!($name, "\0").as_bytes()) {
                Ok(name) => name,
                Err(_) => panic!("a name contains a null"),
            }
        ),+];

        impl locktoll_lock {
            fn of_kind(name: &CStr) -> Option<Self> {
                let named = parse(name.to_bytes(), LOCKS).ok()?;
                match named.lock.name {
                    $( $name => Some(Self::$lock(Catalogued::with_number(named.number))), )+
                    _ => None,
                }
            }
        }

        /// Calls a method of the lock inside.
        macro_rules! inside {
            ($any:expr, $method:ident) => {
                match $any {
                    $( locktoll_lock::$lock(lock) => lock.$method(), )+
                }
            };
        }
    };
}
for_each_lock!(any_lock);

/// Returns the name of the kind with number `index`, or null if there are fewer kinds.
///
/// ```
/// use std::ffi::CStr;
/// use locktoll_locks::by_name::locktoll_lock_name;
///
/// let names = (0..).map(|index| locktoll_lock_name(index)).take_while(|name| !name.is_null());
/// // SAFETY: not null, so it is a C string that lives for ever.
/// let names: Vec<_> = names.map(|name| unsafe { CStr::from_ptr(name) }).collect();
/// assert!(names.contains(&c"ticket"));
/// ```
#[unsafe(no_mangle)]
pub extern "C" fn locktoll_lock_name(index: usize) -> *const c_char {
    NAMES.get(index).map_or(null(), |name| name.as_ptr())
}

/// Creates a free lock of the kind `name`, or returns null if there is no such kind. `NAME:NUMBER` also sets the kind's
/// number.
///
/// ```
/// use locktoll_locks::by_name::{locktoll_lock_create, locktoll_lock_destroy};
///
/// // SAFETY: both are C strings.
/// let (lock, none) = unsafe { (locktoll_lock_create(c"futex3:100".as_ptr()), locktoll_lock_create(c"x".as_ptr())) };
/// assert!(!lock.is_null() && none.is_null());
/// // SAFETY: created above, and not used after this.
/// unsafe { locktoll_lock_destroy(lock) };
/// ```
///
/// # Safety
///
/// `name` is a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locktoll_lock_create(name: *const c_char) -> *mut locktoll_lock {
    // SAFETY: the caller's promise.
    let name = unsafe { CStr::from_ptr(name) };
    locktoll_lock::of_kind(name).map_or(core::ptr::null_mut(), |lock| Box::into_raw(Box::new(lock)))
}

/// Frees a lock that no thread uses any longer. Null is ignored.
///
/// ```
/// use locktoll_locks::by_name::{locktoll_lock_create, locktoll_lock_destroy};
///
/// // SAFETY: a C string.
/// let lock = unsafe { locktoll_lock_create(c"clh".as_ptr()) };
/// // SAFETY: created above, and not used after this.
/// unsafe { locktoll_lock_destroy(lock) };
/// // SAFETY: null is ignored, as by free(3).
/// unsafe { locktoll_lock_destroy(std::ptr::null_mut()) };
/// ```
///
/// # Safety
///
/// `lock` was created by [`locktoll_lock_create`], and is not used after this.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locktoll_lock_destroy(lock: *mut locktoll_lock) {
    if !lock.is_null() {
        // SAFETY: C1.
        drop(unsafe { Box::from_raw(lock) });
    }
}

/// Waits until the lock is acquired.
///
/// ```
/// use locktoll_locks::by_name::*;
///
/// // SAFETY: a C string.
/// let lock = unsafe { locktoll_lock_create(c"mcs".as_ptr()) };
/// // SAFETY: created above; held between the two calls; not used after the last one.
/// unsafe {
///     locktoll_lock_acquire(lock);
///     locktoll_lock_release(lock);
///     locktoll_lock_destroy(lock);
/// }
/// ```
///
/// # Safety
///
/// `lock` was created by [`locktoll_lock_create`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locktoll_lock_acquire(lock: *const locktoll_lock) {
    // SAFETY: C1.
    inside!(unsafe { &*lock }, lock);
}

/// Acquires the lock if this needs no waiting. Returns whether it did.
///
/// ```
/// use locktoll_locks::by_name::*;
///
/// // SAFETY: a C string.
/// let lock = unsafe { locktoll_lock_create(c"ttas".as_ptr()) };
/// // SAFETY: created above.
/// assert!(unsafe { locktoll_lock_try_acquire(lock) });
/// // SAFETY: created above.
/// assert!(!unsafe { locktoll_lock_try_acquire(lock) }, "held");
/// # // SAFETY: created above, and not used after this.
/// # unsafe { locktoll_lock_destroy(lock) };
/// ```
///
/// # Safety
///
/// As for [`locktoll_lock_acquire`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locktoll_lock_try_acquire(lock: *const locktoll_lock) -> bool {
    // SAFETY: C1.
    inside!(unsafe { &*lock }, try_lock)
}

/// Releases the lock. Any thread may do so for the holder.
///
/// ```
/// use locktoll_locks::by_name::*;
///
/// // SAFETY: a C string.
/// let lock = unsafe { locktoll_lock_create(c"tas".as_ptr()) };
/// // SAFETY: created above, and held at the release.
/// unsafe {
///     locktoll_lock_acquire(lock);
///     locktoll_lock_release(lock);
/// }
/// // SAFETY: created above. It is free again.
/// assert!(unsafe { locktoll_lock_try_acquire(lock) });
/// # // SAFETY: created above, and not used after this.
/// # unsafe { locktoll_lock_destroy(lock) };
/// ```
///
/// # Safety
///
/// As for [`locktoll_lock_acquire`], and the lock is held.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locktoll_lock_release(lock: *const locktoll_lock) {
    // SAFETY: C1, and held by the caller's promise.
    unsafe { inside!(&*lock, unlock) }
}

//! All locks, chosen by name, as opaque objects. `include/locktoll_locks.h` describes them for C programmers.
//!
//! They are for comparing locks in a C program. This command builds the library that has these functions:
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
#[unsafe(no_mangle)]
pub extern "C" fn locktoll_lock_name(index: usize) -> *const c_char {
    NAMES.get(index).map_or(null(), |name| name.as_ptr())
}

/// Creates a free lock of the kind `name`, or returns null if there is no such kind. `NAME:NUMBER` also sets the kind's
/// number.
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
/// # Safety
///
/// As for [`locktoll_lock_acquire`], and the lock is held.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locktoll_lock_release(lock: *const locktoll_lock) {
    // SAFETY: C1, and held by the caller's promise.
    unsafe { inside!(&*lock, unlock) }
}

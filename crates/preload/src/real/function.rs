//! A function that this library interposes, looked up when it is first needed.
//!
//! # Invariants
//!
//! - **R1** The pointer in a [`Function`] is null or the address of a function with the type it is read as.
//! - **R2** It is the first word of the [`Function`].

use core::ffi::{CStr, c_void};
use core::marker::PhantomData;
use core::mem::transmute_copy;
use core::ptr::null_mut;
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::Relaxed;

use super::condition::{COND_BROADCAST, COND_SIGNAL, COND_WAIT};
use super::mutex::{MUTEX_INIT, MUTEX_LOCK, MUTEX_TRYLOCK, MUTEX_UNLOCK};

/// A function of the C library, or of the next preloaded library. `F` is the type of a pointer to it.
///
/// The function's address is the first word, where assembly reads it (R2).
#[repr(C)]
pub struct Function<F> {
    place: AtomicPtr<c_void>,
    name: &'static CStr,
    version: Option<&'static CStr>,
    signature: PhantomData<F>,
}

impl<F: Copy> Function<F> {
    /// Makes the entry for the function of this name, in its default version.
    pub const fn named(name: &'static CStr) -> Self {
        Self {
            place: AtomicPtr::new(null_mut()),
            name,
            version: None,
            signature: PhantomData,
        }
    }

    pub(super) const fn versioned(name: &'static CStr, version: &'static CStr) -> Self {
        Self {
            version: Some(version),
            ..Self::named(name)
        }
    }

    /// Returns the function, if it has been looked up.
    #[inline(always)]
    pub fn known(&self) -> Option<F> {
        const { assert!(size_of::<Option<F>>() == size_of::<*mut c_void>()) };
        // Relaxed: it points to code, which existed before this thread.
        let place = self.place.load(Relaxed);
        // SAFETY: R1; null is `None`, as for every function pointer.
        unsafe { transmute_copy::<*mut c_void, Option<F>>(&place) }
    }

    /// Returns the function, and looks it up if necessary. Returns `None` if this C library does not have it.
    #[inline]
    pub fn get(&self) -> Option<F> {
        self.known().or_else(|| {
            self.look_up();
            self.known()
        })
    }

    /// Returns the function's address, or null.
    pub fn address(&self) -> *const c_void {
        if self.known().is_none() {
            self.look_up();
        }
        self.place.load(Relaxed)
    }

    /// Looks the function up, and leaves `errno` unchanged.
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
        // The symbol is looked up first with the version, then without it. Another preloaded library that interposes these
        // functions has no versions at all, and dlvsym(3) skips it only if it must.
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

/// The type of a function that is only called from assembly.
pub type Opaque = unsafe extern "C" fn();

//! `pthread_mutex_t` in its six kinds (pthread_mutexattr_settype(3), _setprotocol(3p),
//! _setrobust(3)).
//!
//! # Invariants
//!
//! - **P1** `raw` was initialised by `pthread_mutex_init` and not used before it reached its
//!   place; from the first lock on it stays there, since every use borrows it.
//! - **P2** A [`Held`] exists only on the thread whose `pthread_mutex_lock` returned 0, once for
//!   each such return: it is neither `Send` nor `Clone`.

use std::cell::UnsafeCell;
use std::marker::PhantomData;
use std::mem::MaybeUninit;

use super::super::visit::{Listing, Visitor};
use super::super::{Contender, CreateError, Family, LockOptions};
use super::check;

pub(super) fn visit(visitor: &mut impl Visitor) {
    let pthread = |name, summary| Listing::new(name, Family::Pthread, summary);
    visitor.lock::<Mutex<Normal>>(pthread(
        "pthread",
        "pthread_mutex, default kind: three-state futex, parks at once; barging",
    ));
    #[cfg(target_env = "gnu")]
    visitor.lock::<Mutex<Adaptive>>(pthread(
        "pthread-adaptive",
        "pthread_mutex, PTHREAD_MUTEX_ADAPTIVE_NP: spins for up to 100 looks, fewer where that was enough, then parks",
    ));
    visitor.lock::<Mutex<ErrorCheck>>(pthread(
        "pthread-errorcheck",
        "pthread_mutex, PTHREAD_MUTEX_ERRORCHECK: keeps and checks the owner's thread id",
    ));
    visitor.lock::<Mutex<Recursive>>(
        pthread(
            "pthread-recursive",
            "pthread_mutex, PTHREAD_MUTEX_RECURSIVE: the owner counts its acquisitions",
        )
        .knobs(&["recursive"]),
    );
    visitor.lock::<Mutex<Inheriting>>(pthread(
        "pthread-pi",
        "pthread_mutex, PTHREAD_PRIO_INHERIT: contention goes through the kernel's priority-inheriting futex",
    ));
    visitor.lock::<Mutex<Robust>>(pthread(
        "pthread-robust",
        "pthread_mutex, PTHREAD_MUTEX_ROBUST: enters itself into the thread's robust list",
    ));
}

/// The distinguishing property of a kind: the attributes that it is made with.
pub(in super::super) trait Kind: Send + Sync + 'static {
    const RECURSIVE: bool = false;

    /// Sets the attributes, and returns pthread's return code.
    fn set(attributes: &mut libc::pthread_mutexattr_t) -> libc::c_int;
}

/// `PTHREAD_MUTEX_DEFAULT`, which is `PTHREAD_MUTEX_NORMAL` in glibc and musl.
pub(in super::super) enum Normal {}
/// `PTHREAD_MUTEX_ADAPTIVE_NP`.
#[cfg(target_env = "gnu")]
enum Adaptive {}
/// `PTHREAD_MUTEX_ERRORCHECK`.
enum ErrorCheck {}
/// `PTHREAD_MUTEX_RECURSIVE`.
enum Recursive {}
/// `PTHREAD_PRIO_INHERIT`.
enum Inheriting {}
/// `PTHREAD_MUTEX_ROBUST`.
enum Robust {}

impl Kind for Normal {
    fn set(attributes: &mut libc::pthread_mutexattr_t) -> libc::c_int {
        // SAFETY: the attributes are initialised (see `Mutex::new`).
        unsafe { libc::pthread_mutexattr_settype(attributes, libc::PTHREAD_MUTEX_DEFAULT) }
    }
}

#[cfg(target_env = "gnu")]
impl Kind for Adaptive {
    fn set(attributes: &mut libc::pthread_mutexattr_t) -> libc::c_int {
        // SAFETY: the attributes are initialised (see `Mutex::new`).
        unsafe { libc::pthread_mutexattr_settype(attributes, libc::PTHREAD_MUTEX_ADAPTIVE_NP) }
    }
}

impl Kind for ErrorCheck {
    fn set(attributes: &mut libc::pthread_mutexattr_t) -> libc::c_int {
        // SAFETY: the attributes are initialised (see `Mutex::new`).
        unsafe { libc::pthread_mutexattr_settype(attributes, libc::PTHREAD_MUTEX_ERRORCHECK) }
    }
}

impl Kind for Recursive {
    const RECURSIVE: bool = true;

    fn set(attributes: &mut libc::pthread_mutexattr_t) -> libc::c_int {
        // SAFETY: the attributes are initialised (see `Mutex::new`).
        unsafe { libc::pthread_mutexattr_settype(attributes, libc::PTHREAD_MUTEX_RECURSIVE) }
    }
}

impl Kind for Inheriting {
    fn set(attributes: &mut libc::pthread_mutexattr_t) -> libc::c_int {
        // SAFETY: the attributes are initialised (see `Mutex::new`).
        unsafe { libc::pthread_mutexattr_setprotocol(attributes, libc::PTHREAD_PRIO_INHERIT) }
    }
}

impl Kind for Robust {
    fn set(attributes: &mut libc::pthread_mutexattr_t) -> libc::c_int {
        // SAFETY: the attributes are initialised (see `Mutex::new`).
        unsafe { libc::pthread_mutexattr_setrobust(attributes, libc::PTHREAD_MUTEX_ROBUST) }
    }
}

/// A `pthread_mutex_t` of kind `K`.
pub(in super::super) struct Mutex<K> {
    raw: UnsafeCell<libc::pthread_mutex_t>,
    kind: PhantomData<K>,
}

// SAFETY: a mutex is made for use by several threads; it is moved between threads only before its first use (P1).
unsafe impl<K: Kind> Send for Mutex<K> {}
// SAFETY: as above.
unsafe impl<K: Kind> Sync for Mutex<K> {}

impl<K: Kind> Mutex<K> {
    pub(in super::super) fn new() -> Result<Self, CreateError> {
        let mut attributes = MaybeUninit::uninit();
        let mut raw = MaybeUninit::uninit();
        // SAFETY: each object is initialised by its call before anything else uses it. `init` sets up a mutex whose bytes may be
        // moved (see the module above).
        unsafe {
            check(
                "pthread_mutexattr_init",
                libc::pthread_mutexattr_init(attributes.as_mut_ptr()),
            )?;
            let kind_set = K::set(attributes.assume_init_mut());
            let made = if kind_set == 0 {
                libc::pthread_mutex_init(raw.as_mut_ptr(), attributes.as_ptr())
            } else {
                kind_set
            };
            libc::pthread_mutexattr_destroy(attributes.as_mut_ptr());
            check("pthread_mutex_init", made)?;
            Ok(Self {
                raw: UnsafeCell::new(raw.assume_init()),
                kind: PhantomData,
            })
        }
    }

    #[inline(always)]
    pub(in super::super) fn lock(&self) {
        // SAFETY: P1.
        let code = unsafe { libc::pthread_mutex_lock(self.raw.get()) };
        debug_assert_eq!(code, 0, "pthread_mutex_lock");
    }

    #[inline(always)]
    pub(in super::super) fn try_lock(&self) -> bool {
        // SAFETY: P1.
        unsafe { libc::pthread_mutex_trylock(self.raw.get()) == 0 }
    }

    /// # Safety
    /// The calling thread holds the mutex and gives up one acquisition.
    #[inline(always)]
    pub(in super::super) unsafe fn unlock(&self) {
        // SAFETY: P1, and the caller's promise.
        let code = unsafe { libc::pthread_mutex_unlock(self.raw.get()) };
        debug_assert_eq!(code, 0, "pthread_mutex_unlock");
    }
}

impl<K> Drop for Mutex<K> {
    fn drop(&mut self) {
        // SAFETY: P1; no thread holds it, since a `Held` would borrow it.
        unsafe { libc::pthread_mutex_destroy(self.raw.get()) };
    }
}

/// One acquisition.
pub(in super::super) struct Held<'a, K: Kind> {
    mutex: &'a Mutex<K>,
    /// The thread that locked must unlock (P2).
    not_send: PhantomData<*const ()>,
}

impl<K: Kind> Drop for Held<'_, K> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: P2.
        unsafe { self.mutex.unlock() }
    }
}

impl<K: Kind> Contender for Mutex<K> {
    type Held<'a> = Held<'a, K>;

    const RECURSIVE: bool = K::RECURSIVE;

    fn create(_: &LockOptions) -> Result<Self, CreateError> {
        Self::new()
    }

    #[inline(always)]
    fn acquire(&self) -> Held<'_, K> {
        self.lock();
        Held {
            mutex: self,
            not_send: PhantomData,
        }
    }
}

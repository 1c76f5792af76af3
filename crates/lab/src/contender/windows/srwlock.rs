//! `SRWLOCK`, the slim reader/writer lock.
//!
//! Documented: it has the size of a pointer, and is zero while no thread holds it. The order of waiters is unspecified, both for
//! readers and for writers. It is not recursive, so a thread that acquires it twice waits for ever. The thread that acquired it
//! must release it. The way in which waiters wait is not documented. A free lock is taken and released without the kernel, both
//! on Windows and under Wine. Source: "Slim Reader/Writer (SRW) Locks", `AcquireSRWLockExclusive`, `AcquireSRWLockShared`.
//!
//! # Invariants
//!
//! - **S1** `raw` is zeroes until its first use, which holds no address, and stays in place from then on, since every use borrows
//!   it.
//! - **S2** A guard exists on the thread that acquired, once for each acquisition of its mode, and is used up by its `drop`.

use std::cell::UnsafeCell;
use std::marker::PhantomData;

use locktoll_locks::RawLock;
use locktoll_locks::catalogue::Lock;
use windows_sys::Win32::System::Threading::{
    AcquireSRWLockExclusive, AcquireSRWLockShared, ReleaseSRWLockExclusive, ReleaseSRWLockShared,
    SRWLOCK, SRWLOCK_INIT, TryAcquireSRWLockExclusive,
};

use super::super::ours::{Gated, Raw, of};
use super::super::visit::{Listing, Visitor};
use super::super::{Contender, CreateError, LockOptions};
use super::windows;

pub(super) fn visit(visitor: &mut impl Visitor) {
    visitor.lock::<SrwLock>(
        windows(
            "srwlock",
            "SRWLOCK, slim reader/writer lock: one word, in no order of arrival",
        )
        .knobs(&["shared"]),
    );
}

/// Visits the gate around it, listed with our other locks around locks.
pub(in super::super) fn visit_gated(visitor: &mut impl Visitor) {
    let gate = of("gate", &["gate"]);
    let lock = Lock {
        name: "gate-srwlock",
        aliases: &[],
        summary: "so many threads at a time contend for an srwlock",
        line: "so many threads at a time contend for an srwlock (Hart 1998)",
        ..gate.lock
    };
    visitor.lock::<Raw<Gated<SrwLock>>>(Listing { lock, ..gate });
}

/// An `SRWLOCK`.
struct SrwLock {
    raw: UnsafeCell<SRWLOCK>,
}

// SAFETY: made for use by all threads of a process; moved only before its first use (S1).
unsafe impl Send for SrwLock {}
// SAFETY: as above.
unsafe impl Sync for SrwLock {}

impl SrwLock {
    const fn free() -> Self {
        Self {
            raw: UnsafeCell::new(SRWLOCK_INIT),
        }
    }
}

/// An exclusive acquisition.
struct Written<'a> {
    lock: &'a SrwLock,
    /// The thread that acquired must release (S2).
    not_send: PhantomData<*const ()>,
}

impl Drop for Written<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: S1, S2.
        unsafe { ReleaseSRWLockExclusive(self.lock.raw.get()) }
    }
}

/// A shared acquisition.
struct Read<'a>(&'a SrwLock);

impl Drop for Read<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: S1, S2.
        unsafe { ReleaseSRWLockShared(self.0.raw.get()) }
    }
}

impl Contender for SrwLock {
    type Held<'a> = Written<'a>;

    fn create(_: &LockOptions) -> Result<Self, CreateError> {
        Ok(Self::free())
    }

    #[inline(always)]
    fn acquire(&self) -> Written<'_> {
        // SAFETY: S1.
        unsafe { AcquireSRWLockExclusive(self.raw.get()) };
        Written {
            lock: self,
            not_send: PhantomData,
        }
    }

    #[inline(always)]
    fn read<R>(&self, mut body: impl FnMut() -> R) -> R {
        // SAFETY: S1.
        unsafe { AcquireSRWLockShared(self.raw.get()) };
        let _shared = Read(self);
        body()
    }
}

// SAFETY: the exclusive mode excludes other threads, and its acquisition and release are memory barriers ("Synchronization and
// Multiprocessor Issues"). Windows requires the acquiring thread to release; every contender does so, since a contender's guard
// stays on its thread.
unsafe impl RawLock for SrwLock {
    fn new() -> Self {
        Self::free()
    }

    #[inline(always)]
    fn lock(&self) {
        // SAFETY: S1.
        unsafe { AcquireSRWLockExclusive(self.raw.get()) }
    }

    #[inline(always)]
    fn try_lock(&self) -> bool {
        // SAFETY: S1.
        unsafe { TryAcquireSRWLockExclusive(self.raw.get()) }
    }

    #[inline(always)]
    unsafe fn unlock(&self) {
        // SAFETY: S1, and the caller's promise.
        unsafe { ReleaseSRWLockExclusive(self.raw.get()) }
    }

    fn is_locked(&self) -> bool {
        let was_free = self.try_lock();
        if was_free {
            // SAFETY: just acquired.
            unsafe { self.unlock() }
        }
        !was_free
    }
}

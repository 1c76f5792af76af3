//! `CRITICAL_SECTION`, the object.
//!
//! Its fields are documented as opaque. `winnt.h` declares them as follows: a lock count, which distinguishes free from held and
//! counts waiters; the owner's thread id and its number of entries; the object that waiters sleep on; and the spin count, whose
//! top eight bits are flags.
//!
//! # Invariants
//!
//! - **C1** `object` was initialised in place, on the heap, and stays there until it is deleted: it is never moved.
//! - **C2** The caller of `leave` gives up one of its own thread's entries.

use std::cell::UnsafeCell;
use std::io;

use locktoll_locks::CachePadded;
use windows_sys::Win32::System::Threading::{
    CRITICAL_SECTION, DeleteCriticalSection, EnterCriticalSection, InitializeCriticalSection,
    InitializeCriticalSectionAndSpinCount, LeaveCriticalSection, TryEnterCriticalSection,
};

use super::super::CreateError;

/// The highest spin count that a critical section takes: the bits above are flags (`RTL_CRITICAL_SECTION_ALL_FLAG_BITS`).
pub(super) const MOST_LOOKS: u32 = 0x00ff_ffff;

/// A critical section on its own cache lines.
pub(super) struct Section {
    object: Box<CachePadded<UnsafeCell<CRITICAL_SECTION>>>,
}

// SAFETY: a critical section is made for use by all threads of a process; the box may be moved between threads, since that does
// not move the object that it points to (C1).
unsafe impl Send for Section {}
// SAFETY: as above.
unsafe impl Sync for Section {}

impl Section {
    /// Makes a free one with this spin count, the number of checks before a waiter sleeps; `None` leaves the choice to Windows.
    /// With one processor, Windows replaces every spin count by 0.
    ///
    /// # Errors
    /// A spin count above [`MOST_LOOKS`], or Windows' error (none since Vista).
    pub(super) fn new(looks: Option<u32>) -> Result<Self, CreateError> {
        let object = Box::new(CachePadded::new(UnsafeCell::new(
            CRITICAL_SECTION::default(),
        )));
        match looks {
            // SAFETY: C1: initialised in place.
            None => unsafe { InitializeCriticalSection(object.get()) },
            Some(looks) if looks > MOST_LOOKS => {
                return Err(CreateError {
                    what: "make a critical section",
                    source: io::Error::new(
                        io::ErrorKind::InvalidInput,
                        format!("it spins for 0 to {MOST_LOOKS} looks, not {looks}"),
                    ),
                });
            }
            Some(looks) => {
                // SAFETY: C1: initialised in place.
                if unsafe { InitializeCriticalSectionAndSpinCount(object.get(), looks) } == 0 {
                    return Err(CreateError {
                        what: "InitializeCriticalSectionAndSpinCount",
                        source: io::Error::last_os_error(),
                    });
                }
            }
        }
        Ok(Self { object })
    }

    #[inline(always)]
    pub(super) fn enter(&self) {
        // SAFETY: C1.
        unsafe { EnterCriticalSection(self.object.get()) }
    }

    /// Enters if the section is free or already the calling thread's; returns whether it entered.
    #[inline(always)]
    pub(super) fn try_enter(&self) -> bool {
        // SAFETY: C1.
        unsafe { TryEnterCriticalSection(self.object.get()) != 0 }
    }

    /// # Safety
    /// The calling thread has entered and gives up one entry.
    #[inline(always)]
    pub(super) unsafe fn leave(&self) {
        // SAFETY: C1, C2.
        unsafe { LeaveCriticalSection(self.object.get()) }
    }

    /// Returns the spin count in the object, and sets it to 0.
    #[cfg(test)]
    pub(super) fn take_looks(&self) -> u32 {
        use windows_sys::Win32::System::Threading::SetCriticalSectionSpinCount;
        // SAFETY: C1. It returns the previous count.
        unsafe { SetCriticalSectionSpinCount(self.object.get(), 0) & MOST_LOOKS }
    }
}

impl Drop for Section {
    fn drop(&mut self) {
        // SAFETY: C1; no thread is inside, since a guard would borrow it.
        unsafe { DeleteCriticalSection(self.object.get()) }
    }
}

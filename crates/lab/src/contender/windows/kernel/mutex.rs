//! The kernel's mutex: `CreateMutexW`, `WaitForSingleObject`, `ReleaseMutex`.
//!
//! | state | a wait |
//! |---|---|
//! | signalled: no thread owns it | takes it |
//! | owned by the caller | counts one more |
//! | owned by another thread | sleeps |
//! | abandoned: its owner ended | takes it and reports that |
//!
//! Source: "Mutex Objects".
//!
//! # Invariants
//!
//! - **M1** A [`Held`] exists only on the thread whose wait returned, once for each such return: it is neither `Send` nor
//!   `Clone`.

use std::marker::PhantomData;

use windows_sys::Win32::System::Threading::{CreateMutexW, ReleaseMutex};

use super::super::super::visit::{Listing, Visitor};
use super::super::super::{Contender, CreateError, Family, LockOptions};
use super::object::{KernelObject, refused};

pub(super) fn visit(visitor: &mut impl Visitor) {
    visitor.lock::<Mutex>(
        Listing::new(
            "mutex",
            Family::Kernel,
            "Windows' mutex by WaitForSingleObject and ReleaseMutex: Which 3 of TimeMutex",
        )
        .knobs(&["recursive"]),
    );
}

/// An unnamed mutex of the kernel.
pub(super) struct Mutex {
    object: KernelObject,
}

/// One acquisition.
pub(super) struct Held<'a> {
    mutex: &'a Mutex,
    /// The thread that acquired must release (M1).
    not_send: PhantomData<*const ()>,
}

impl Drop for Held<'_> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: M1; no pointer is passed.
        let released = unsafe { ReleaseMutex(self.mutex.object.handle()) };
        if released == 0 {
            refused("ReleaseMutex", 0);
        }
    }
}

impl Contender for Mutex {
    type Held<'a> = Held<'a>;

    const RECURSIVE: bool = true;

    fn create(_: &LockOptions) -> Result<Self, CreateError> {
        // SAFETY: null requests the defaults and no name; the handle is new.
        let object = unsafe {
            let handle = CreateMutexW(std::ptr::null(), 0, std::ptr::null());
            KernelObject::made("CreateMutex", handle)
        }?;
        Ok(Self { object })
    }

    #[inline]
    fn acquire(&self) -> Held<'_> {
        self.object.wait();
        Held {
            mutex: self,
            not_send: PhantomData,
        }
    }
}

#[cfg(test)]
mod tests {
    use windows_sys::Win32::Foundation::{WAIT_ABANDONED, WAIT_OBJECT_0, WAIT_TIMEOUT};
    use windows_sys::Win32::System::Threading::WaitForSingleObject;

    use super::*;

    const DEFAULTS: LockOptions = LockOptions {
        spin: None,
        gate: None,
    };

    /// Tries the mutex without waiting, on a separate thread, which releases it if it was acquired.
    fn look(mutex: &Mutex) -> u32 {
        std::thread::scope(|scope| {
            let other = scope.spawn(|| {
                // SAFETY: no pointer is passed.
                let answer = unsafe { WaitForSingleObject(mutex.object.handle(), 0) };
                if answer != WAIT_TIMEOUT {
                    drop(Held {
                        mutex,
                        not_send: PhantomData,
                    });
                }
                answer
            });
            other.join().unwrap()
        })
    }

    #[test]
    fn it_is_signalled_when_nobody_owns_it() {
        let mutex = Mutex::create(&DEFAULTS).unwrap();
        assert_eq!(look(&mutex), WAIT_OBJECT_0);
        let held = mutex.acquire();
        assert_eq!(look(&mutex), WAIT_TIMEOUT);
        drop(held);
        assert_eq!(look(&mutex), WAIT_OBJECT_0);
    }

    fn abandoned() -> Mutex {
        let mutex = Mutex::create(&DEFAULTS).unwrap();
        std::thread::scope(|scope| {
            let owner = scope.spawn(|| std::mem::forget(mutex.acquire()));
            // A scope ends with its threads' work; a join waits until the thread itself has ended, and only that abandons the
            // mutex.
            owner.join().unwrap();
        });
        mutex
    }

    #[test]
    fn one_whose_owner_ended_is_acquired_and_whole_again() {
        assert_eq!(look(&abandoned()), WAIT_ABANDONED, "Windows tells of it");
        let mutex = abandoned();
        let held = mutex.acquire();
        assert_eq!(look(&mutex), WAIT_TIMEOUT, "it is acquired");
        drop(held);
        assert_eq!(look(&mutex), WAIT_OBJECT_0, "and told of once");
    }
}

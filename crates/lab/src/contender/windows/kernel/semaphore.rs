//! The kernel's semaphore with a maximum of one as a lock: `CreateSemaphoreW`, `WaitForSingleObject`, `ReleaseSemaphore`.
//!
//! | count | meaning |
//! |---|---|
//! | 1 | signalled: no thread holds the lock |
//! | 0 | a thread holds it; a wait sleeps |
//!
//! It has no owner: any thread may release. Source: "Semaphore Objects".
//!
//! # Invariants
//!
//! - **S1** A [`Held`] exists once for each wait that took the count from one to zero.

use windows_sys::Win32::System::Threading::{CreateSemaphoreW, ReleaseSemaphore};

use super::super::super::visit::{Listing, Visitor};
use super::super::super::{Contender, CreateError, Family, LockOptions};
use super::object::{KernelObject, refused};

pub(super) fn visit(visitor: &mut impl Visitor) {
    visitor.lock::<Semaphore>(Listing::new(
        "semaphore",
        Family::Kernel,
        "Windows' semaphore of at most one by WaitForSingleObject and ReleaseSemaphore",
    ));
}

/// An unnamed semaphore of the kernel.
pub(super) struct Semaphore {
    object: KernelObject,
}

/// One acquisition.
pub(super) struct Held<'a>(&'a Semaphore);

impl Drop for Held<'_> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: S1; null: the previous count is not requested.
        let released = unsafe { ReleaseSemaphore(self.0.object.handle(), 1, std::ptr::null_mut()) };
        if released == 0 {
            refused("ReleaseSemaphore", 0);
        }
    }
}

impl Contender for Semaphore {
    type Held<'a> = Held<'a>;

    fn create(_: &LockOptions) -> Result<Self, CreateError> {
        // SAFETY: null requests the defaults and no name; the handle is new.
        let object = unsafe {
            let handle = CreateSemaphoreW(std::ptr::null(), 1, 1, std::ptr::null());
            KernelObject::made("CreateSemaphore", handle)
        }?;
        Ok(Self { object })
    }

    #[inline]
    fn acquire(&self) -> Held<'_> {
        self.object.wait();
        Held(self)
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use windows_sys::Win32::Foundation::{ERROR_TOO_MANY_POSTS, WAIT_OBJECT_0, WAIT_TIMEOUT};
    use windows_sys::Win32::System::Threading::WaitForSingleObject;

    use super::*;

    #[test]
    fn it_holds_one_and_refuses_a_second() {
        let semaphore = Semaphore::create(&LockOptions {
            spin: None,
            gate: None,
        })
        .unwrap();
        let handle = semaphore.object.handle();
        // SAFETY: no pointer is passed.
        let look = || unsafe { WaitForSingleObject(handle, 0) };
        let held = semaphore.acquire();
        assert_eq!(look(), WAIT_TIMEOUT, "the holder itself would wait");
        drop(held);
        let mut before = -1;
        // SAFETY: `before` outlives the call.
        let released = unsafe { ReleaseSemaphore(handle, 1, &raw mut before) };
        let error = io::Error::last_os_error().raw_os_error();
        assert_eq!((released, error), (0, Some(ERROR_TOO_MANY_POSTS as i32)));
        assert_eq!(look(), WAIT_OBJECT_0);
        assert_eq!(look(), WAIT_TIMEOUT);
    }
}

//! The common parts of the kernel's objects: a handle, and `WaitForSingleObject`.
//!
//! An object of the kernel is signalled or not, and a wait that takes it makes it not signalled again. Every wait and every
//! release is a system call, whether or not another thread wants the object. Source: "Wait Functions",
//! `WaitForSingleObject`.

use std::io;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};

use windows_sys::Win32::Foundation::{HANDLE, WAIT_ABANDONED, WAIT_OBJECT_0};
use windows_sys::Win32::System::Threading::{INFINITE, WaitForSingleObject};

use super::super::super::CreateError;

/// An object of the kernel, closed when dropped.
pub(super) struct KernelObject {
    handle: OwnedHandle,
}

impl KernelObject {
    /// Owns what `what` has made.
    ///
    /// # Errors
    /// `made` is null: then `GetLastError`'s answer, so nothing may be called in between.
    ///
    /// # Safety
    /// `made` is null or a new handle that nobody else owns.
    pub(super) unsafe fn made(what: &'static str, made: HANDLE) -> Result<Self, CreateError> {
        if made.is_null() {
            return Err(CreateError {
                what,
                source: io::Error::last_os_error(),
            });
        }
        // SAFETY: the caller's promise.
        let handle = unsafe { OwnedHandle::from_raw_handle(made) };
        Ok(Self { handle })
    }

    /// The handle, open for as long as this lives.
    #[inline(always)]
    pub(super) fn handle(&self) -> HANDLE {
        self.handle.as_raw_handle()
    }

    /// Waits until it is signalled, and takes it. Of a mutex whose owner ended without a release, Windows says so
    /// (`WAIT_ABANDONED`): it is acquired all the same.
    #[inline]
    pub(super) fn wait(&self) {
        // SAFETY: the handle is open and no pointer is passed.
        match unsafe { WaitForSingleObject(self.handle(), INFINITE) } {
            WAIT_OBJECT_0 | WAIT_ABANDONED => {}
            answer => refused("WaitForSingleObject", answer),
        }
    }
}

/// A call failed that can fail only for a handle that is not open, or a release without an acquisition.
#[cold]
pub(super) fn refused(call: &str, answer: u32) -> ! {
    let error = io::Error::last_os_error();
    panic!("{call} returned {answer}: {error}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use windows_sys::Win32::System::Threading::CreateSemaphoreW;

    #[test]
    fn what_could_not_be_made_is_told_in_windows_words() {
        // SAFETY: no pointer but null is passed. A semaphore cannot hold more than its maximum.
        let made = unsafe {
            let handle = CreateSemaphoreW(std::ptr::null(), 2, 1, std::ptr::null());
            KernelObject::made("CreateSemaphore", handle)
        };
        let Err(error) = made else {
            panic!("two of at most one")
        };
        assert_eq!(error.what, "CreateSemaphore");
        // ERROR_INVALID_PARAMETER.
        assert_eq!(error.source.raw_os_error(), Some(87));
    }
}

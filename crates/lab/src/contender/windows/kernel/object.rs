//! The common parts of the kernel's objects: a handle, and `WaitForSingleObject`.
//!
//! A kernel object is either signalled or not, and a wait that takes it makes it non-signalled again. Every wait and every
//! release is a system call, whether or not another thread wants the object. Source: "Wait Functions", `WaitForSingleObject`.

use std::io;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};

use windows_sys::Win32::Foundation::{HANDLE, WAIT_ABANDONED, WAIT_OBJECT_0};
use windows_sys::Win32::System::Threading::{INFINITE, WaitForSingleObject};

use super::super::super::CreateError;

/// A kernel object, closed when dropped.
pub(super) struct KernelObject {
    handle: OwnedHandle,
}

impl KernelObject {
    /// Takes ownership of the object that the call `what` made.
    ///
    /// # Errors
    /// If `made` is null, the error is `GetLastError`'s, so the caller must make no other call in between.
    ///
    /// # Safety
    /// `made` is null or a new handle without another owner.
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

    /// Returns the handle, which is open as long as this object lives.
    #[inline(always)]
    pub(super) fn handle(&self) -> HANDLE {
        self.handle.as_raw_handle()
    }

    /// Waits until the object is signalled, and takes it. If a mutex's owner ended without a release, Windows says so
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

/// Panics: the call can fail only for a handle that is not open, or for a release without an acquisition.
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
        // SAFETY: null is the only pointer passed. A semaphore cannot exceed its maximum.
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

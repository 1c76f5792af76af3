//! Kernel objects, one for each side: an auto-reset event, or a semaphore. Every wake and every wait is a system call.

use std::io;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};

use windows_sys::Win32::Foundation::{HANDLE, WAIT_OBJECT_0};
use windows_sys::Win32::System::Threading::{
    CreateEventW, CreateSemaphoreW, INFINITE, ReleaseSemaphore, SetEvent, WaitForSingleObject,
};
use windows_sys::core::BOOL;

use crate::probe::ping_pong::HandOver;

/// An object for each side, and how it is signalled.
pub(super) struct Objects {
    objects: [OwnedHandle; 2],
    signal: fn(HANDLE) -> BOOL,
}

/// Takes ownership of a handle that was made just now.
fn owned(handle: HANDLE) -> io::Result<OwnedHandle> {
    match handle.is_null() {
        true => Err(io::Error::last_os_error()),
        // SAFETY: made just now, so it is open and nobody else's.
        false => Ok(unsafe { OwnedHandle::from_raw_handle(handle) }),
    }
}

/// Creates an event that is not signalled; a wait resets it unless it is `manual`.
pub(super) fn event(manual: bool) -> io::Result<OwnedHandle> {
    // SAFETY: passes neither attributes nor a name.
    owned(unsafe { CreateEventW(std::ptr::null(), manual.into(), 0, std::ptr::null()) })
}

fn semaphore() -> io::Result<OwnedHandle> {
    // SAFETY: passes neither attributes nor a name.
    owned(unsafe { CreateSemaphoreW(std::ptr::null(), 0, i32::MAX, std::ptr::null()) })
}

/// Sets an event that is open.
#[inline]
pub(super) fn set(event: HANDLE) -> BOOL {
    // SAFETY: passes a handle and no pointer; a handle that is not open is refused.
    unsafe { SetEvent(event) }
}

fn release_one(semaphore: HANDLE) -> BOOL {
    // SAFETY: passes a handle, and no place for the previous count; a handle that is not open is refused.
    unsafe { ReleaseSemaphore(semaphore, 1, std::ptr::null_mut()) }
}

/// Auto-reset events.
pub(super) fn events() -> io::Result<Objects> {
    Ok(Objects {
        objects: [event(false)?, event(false)?],
        signal: set,
    })
}

/// Semaphores that begin at zero.
pub(super) fn semaphores() -> io::Result<Objects> {
    Ok(Objects {
        objects: [semaphore()?, semaphore()?],
        signal: release_one,
    })
}

/// Waits until an object is signalled.
#[inline]
pub(super) fn wait_for(object: &OwnedHandle) -> io::Result<()> {
    // SAFETY: the handle is open and no pointer is passed.
    match unsafe { WaitForSingleObject(object.as_raw_handle(), INFINITE) } {
        WAIT_OBJECT_0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

impl HandOver for Objects {
    #[inline]
    fn wake(&self, side: usize) -> io::Result<()> {
        match (self.signal)(self.objects[side].as_raw_handle()) {
            0 => Err(io::Error::last_os_error()),
            _ => Ok(()),
        }
    }

    #[inline]
    fn wait(&self, side: usize) -> io::Result<()> {
        wait_for(&self.objects[side])
    }
}

//! The kernel's auto-reset event as a lock: `CreateEventW`, `WaitForSingleObject`, `SetEvent`.
//!
//! | state | meaning |
//! |---|---|
//! | set | no thread holds the lock |
//! | not set | a thread holds it; a wait sleeps |
//!
//! A wait that returns has reset the event, so `SetEvent` admits one thread. The event has no owner and no count: setting it
//! twice is the same as setting it once. Source: "Event Objects".
//!
//! # Invariants
//!
//! - **V1** A [`Held`] exists once for each wait that reset the event.

use windows_sys::Win32::System::Threading::{CreateEventW, SetEvent};

use super::super::super::visit::{Listing, Visitor};
use super::super::super::{Contender, CreateError, Family, LockOptions};
use super::object::{KernelObject, refused};

pub(super) fn visit(visitor: &mut impl Visitor) {
    visitor.lock::<Event>(Listing::new(
        "event",
        Family::Kernel,
        "Windows' auto-reset event by WaitForSingleObject and SetEvent: who resets it holds the lock",
    ));
}

/// An unnamed auto-reset event of the kernel.
pub(super) struct Event {
    object: KernelObject,
}

/// One acquisition.
pub(super) struct Held<'a>(&'a Event);

impl Drop for Held<'_> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: V1; no pointer is passed.
        let released = unsafe { SetEvent(self.0.object.handle()) };
        if released == 0 {
            refused("SetEvent", 0);
        }
    }
}

impl Contender for Event {
    type Held<'a> = Held<'a>;

    fn create(_: &LockOptions) -> Result<Self, CreateError> {
        const AUTO_RESET: i32 = 0;
        const SET: i32 = 1;
        // SAFETY: null requests the defaults and no name; the handle is new.
        let object = unsafe {
            let handle = CreateEventW(std::ptr::null(), AUTO_RESET, SET, std::ptr::null());
            KernelObject::made("CreateEvent", handle)
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
    use windows_sys::Win32::Foundation::{WAIT_OBJECT_0, WAIT_TIMEOUT};
    use windows_sys::Win32::System::Threading::WaitForSingleObject;

    use super::*;

    #[test]
    fn set_twice_it_lets_one_in() {
        let event = Event::create(&LockOptions {
            spin: None,
            gate: None,
        })
        .unwrap();
        let handle = event.object.handle();
        // SAFETY: no pointer is passed.
        let look = || unsafe { WaitForSingleObject(handle, 0) };
        let held = event.acquire();
        assert_eq!(look(), WAIT_TIMEOUT, "the wait has reset it");
        drop(held);
        // SAFETY: no pointer is passed.
        assert_ne!(unsafe { SetEvent(handle) }, 0);
        assert_eq!(look(), WAIT_OBJECT_0);
        assert_eq!(look(), WAIT_TIMEOUT);
    }
}

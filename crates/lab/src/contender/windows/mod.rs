//! Windows' locks, called directly.
//!
//! The harness places a lock in its cache line by moving it there. What stands in the contender itself may be moved before its
//! first use: a handle, an [SRW lock](srwlock) that is still all zeroes, words of our own. A critical section may not
//! ("cannot be moved or copied", says its page), so it has an [address of its own](section).
//!
//! Sources are pages of Microsoft's "Windows API" reference (learn.microsoft.com/windows/win32/api), by the name of the
//! function in `synchapi.h`, and of its "Synchronization" chapter.

mod critical_section;
mod event;
mod interlocked;
mod kernel_object;
mod mutex;
mod section;
mod semaphore;
mod srwlock;
mod wait_on_address;

#[cfg(test)]
mod crowd;

pub(super) use srwlock::visit_gated;

use super::Family;
use super::visit::{Listing, Visitor};

pub(super) fn visit(visitor: &mut impl Visitor) {
    critical_section::visit(visitor);
    srwlock::visit(visitor);
    wait_on_address::visit(visitor);
    interlocked::visit(visitor);
    mutex::visit(visitor);
    semaphore::visit(visitor);
    event::visit(visitor);
}

/// A line of the list.
const fn windows(name: &'static str, summary: &'static str) -> Listing {
    Listing::new(name, Family::Windows, summary)
}

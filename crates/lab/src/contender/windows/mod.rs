//! Windows' locks, called directly.
//!
//! The harness places a lock in its cache line by moving it there. A lock that lies in the contender itself may be moved before
//! its first use: a handle, an [SRW lock](srwlock) that is still all zeroes, the contender's own words. A critical section must
//! not be moved (its page says "cannot be moved or copied"), so it has its [own address](section).
//!
//! Sources are pages of Microsoft's "Windows API" reference (learn.microsoft.com/windows/win32/api), cited by the name of the
//! function in `synchapi.h`, and of its "Synchronization" chapter.

mod critical_section;
mod interlocked;
pub(super) mod kernel;
mod section;
#[cfg(test)]
mod slices;
mod srwlock;
mod wait_on_address;

pub(super) use srwlock::visit_gated;

use super::Family;
use super::visit::{Listing, Visitor};

pub(super) fn visit(visitor: &mut impl Visitor) {
    critical_section::visit(visitor);
    srwlock::visit(visitor);
    wait_on_address::visit(visitor);
    interlocked::visit(visitor);
}

/// Typing errors in the names of this system's locks.
#[cfg(test)]
pub(super) const SLIPS: [(&str, &str); 2] = [
    ("critical_section", "critical-section"),
    ("srw-lock", "srwlock"),
];

/// Windows' names in capitals, and beginnings of names.
#[cfg(test)]
pub(super) const BEGINNINGS: [(&str, &str); 3] = [
    ("CRITICAL_SECTION", "critical-section"),
    ("SRWLOCK", "srwlock"),
    ("srw", "srwlock"),
];

/// Makes a line of the list.
const fn windows(name: &'static str, summary: &'static str) -> Listing {
    Listing::new(name, Family::Windows, summary)
}

//! What a thread does when it begins and ends to hold mutexes. Invariants: see the folder.
//!
//! A mutex that another thread releases than has acquired it leaves the first one's count too high, and its request set for the
//! rest of its life. The kernel then grants it one extension, which it never gives back, and ends it itself.

use core::ptr::NonNull;

use locktoll_locks::is_by_futex_alone;

use super::{Area, calls, find};
use crate::tally;
use crate::thread_data::thread_data;

/// What a thread knows. It begins as all zeros.
#[repr(C)]
struct Thread {
    /// Its area, if the extension is enabled in it.
    area: Option<NonNull<Area>>,
    /// The number of mutexes that it holds.
    held: u32,
    /// Nonzero once it has looked for its area.
    has_looked: u32,
}

thread_data! {
    /// Returns what the calling thread knows.
    fn thread() -> *mut Thread = "locktoll_slice_extension";
}

/// Called when the calling thread has acquired a mutex.
#[inline]
pub fn begin() {
    let thread = thread();
    // SAFETY: the thread's own data, which nobody else touches. A signal handler that comes in between leaves it as it was.
    unsafe {
        let held = (*thread).held;
        (*thread).held = held.wrapping_add(1);
        if held == 0 {
            request(thread);
        }
    }
}

/// Called when the calling thread has released a mutex.
#[inline]
pub fn end() {
    let thread = thread();
    // SAFETY: as in `begin`.
    unsafe {
        // Zero: another thread had acquired it.
        let held = (*thread).held.saturating_sub(1);
        (*thread).held = held;
        if held == 0
            && let Some(area) = (*thread).area
            // E2.
            && area.as_ref().withdraw()
        {
            give_back();
        }
    }
}

/// Requests an extension, if the kernel offers it and the program has not given up the call that ends a grant.
///
/// # Safety
/// The calling thread's own data.
#[inline]
unsafe fn request(thread: *mut Thread) {
    // SAFETY: the caller's promise.
    unsafe {
        if (*thread).has_looked == 0 {
            (*thread).has_looked = 1;
            (*thread).area = look();
        }
        if let Some(area) = (*thread).area
            && !is_by_futex_alone()
        {
            // SAFETY: E2.
            area.as_ref().request();
        }
    }
}

/// Returns the calling thread's area, if the extension is enabled in it or can be.
#[cold]
fn look() -> Option<NonNull<Area>> {
    let area = find::of_caller().filter(|area| {
        // SAFETY: E2.
        let area = unsafe { area.as_ref() };
        area.is_offered() && (area.is_enabled() || !is_by_futex_alone() && calls::enable())
    });
    tally::count_thread_with_slice_extension(area.is_some());
    area
}

#[cold]
fn give_back() {
    if !is_by_futex_alone() {
        tally::count_slice_extension();
        calls::give_back();
    }
}

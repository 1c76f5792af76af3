//! How much memory an input may cost.
//!
//! # Invariants
//!
//! 1. [`Counted`] hands every request on to the system's allocator as it came.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// What any input may cost, in bytes: tables that have one size whatever is read, and a whole page with its scripts.
const ANY: usize = 48 << 20;
/// What each of its bytes may cost besides.
const A_BYTE: usize = 1024;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator, and how many bytes it has given out. A program that calls [`bounded`] makes it its `#[global_allocator]`.
#[derive(Debug)]
pub struct Counted;

// Relaxed: counts, which order nothing.
fn more(bytes: usize) {
    let now = NOW.fetch_add(bytes, Relaxed) + bytes;
    MOST.fetch_max(now, Relaxed);
}

fn less(bytes: usize) {
    NOW.fetch_sub(bytes, Relaxed);
}

// SAFETY: invariant 1.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        more(layout.size());
        // SAFETY: invariant 1.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        more(layout.size());
        // SAFETY: invariant 1.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        less(layout.size());
        // SAFETY: invariant 1.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        more(bytes);
        less(layout.size());
        // SAFETY: invariant 1.
        unsafe { System.realloc(memory, layout, bytes) }
    }
}

/// Runs `read`, which reads `length` bytes.
///
/// # Panics
/// If it took more memory than any input may.
pub fn bounded(length: usize, read: impl FnOnce()) {
    let (before, most) = (NOW.load(Relaxed), ANY + length * A_BYTE);
    MOST.store(before, Relaxed);
    read();
    let taken = MOST.load(Relaxed).saturating_sub(before);
    assert!(taken <= most, "{length} bytes took {taken} bytes of memory");
}

//! What had been saved when a condition or a semaphore was signalled.
//!
//! By its address, in a table that several may share: a thread that finds the note of a later signal of
//! another one pays a little too little.

use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::Relaxed;

use super::account::{pay, resume, saved_by_now, suspend, woken};
use super::saved::Saved;
use super::start::is_on;

const PLACES: usize = 512;

static NOTES: [AtomicU64; PLACES] = [const { AtomicU64::new(0) }; PLACES];

fn place(condition: usize) -> &'static AtomicU64 {
    // Conditions are 48 bytes long, and semaphores 32.
    &NOTES[(condition >> 4).wrapping_mul(0x9e37_79b1) >> 7 & (PLACES - 1)]
}

/// Called before a condition or semaphore is signalled.
#[inline]
pub fn note(condition: usize) {
    if is_on() {
        pay();
        // Relaxed: an amount that passes on nothing.
        place(condition).store(saved_by_now().bits(), Relaxed);
    }
}

/// Returns what had been saved when the condition or semaphore was last signalled.
pub fn noted(condition: usize) -> Saved {
    Saved::from_bits(place(condition).load(Relaxed))
}

/// Called around a wait for a condition, in the thread that waits. `sleep` returns whether it was signalled.
#[inline]
pub fn waited<T>(
    condition: usize,
    sleep: impl FnOnce() -> T,
    is_signalled: impl FnOnce(&T) -> bool,
) -> T {
    if !is_on() {
        return sleep();
    }
    suspend();
    let ended = sleep();
    match is_signalled(&ended) {
        true => woken(noted(condition)),
        false => resume(),
    }
    ended
}

//! One load, timed by itself, and the removal of a line from all caches.
//!
//! 1. Every address passed to these functions is that of memory that is mapped and readable for the time of the call.

use crate::clock::Clock;

/// Loads the word at `address`, and returns how long it took, in ticks, with the clock readings around it.
///
/// # Safety
/// Invariant 1.
#[inline(always)]
pub(super) unsafe fn timed_load(clock: &Clock, address: *const usize) -> u64 {
    let start = clock.now();
    begin_after_reading();
    // SAFETY: as promised by the caller. Volatile, so that the load is made here.
    unsafe { address.read_volatile() };
    // The clock waits for the load.
    clock.now().saturating_sub(start)
}

/// Loads the word at `address`, untimed.
///
/// # Safety
/// Invariant 1.
#[inline(always)]
pub(super) unsafe fn load(address: *const usize) {
    // SAFETY: as promised by the caller.
    unsafe { address.read_volatile() };
}

/// Keeps the load from beginning before the clock has been read.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn begin_after_reading() {
    // SAFETY: SSE2, which has `lfence`, is part of x86-64.
    unsafe { core::arch::x86_64::_mm_lfence() }
}

#[cfg(target_arch = "aarch64")]
#[inline(always)]
fn begin_after_reading() {
    // SAFETY: the block changes nothing.
    unsafe { core::arch::asm!("isb", options(nostack, preserves_flags)) }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
#[inline(always)]
fn begin_after_reading() {
    std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
}

/// Whether [`flush`] does anything on this architecture.
pub(super) const CAN_FLUSH: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));

/// Removes the line of `address` from all caches.
///
/// # Safety
/// Invariant 1.
#[cfg(target_arch = "x86_64")]
pub(super) unsafe fn flush(address: *const usize) {
    use core::arch::x86_64::{_mm_clflush, _mm_mfence};
    // SAFETY: as promised by the caller; SSE2, which has both instructions, is part of x86-64.
    unsafe {
        _mm_clflush(address.cast());
        _mm_mfence();
    }
}

/// Removes the line of `address` from all caches. Linux allows this instruction in user mode (`SCTLR_EL1.UCI`).
///
/// # Safety
/// Invariant 1.
#[cfg(target_arch = "aarch64")]
pub(super) unsafe fn flush(address: *const usize) {
    // SAFETY: as promised by the caller: the line is written back, and its contents do not change.
    unsafe {
        core::arch::asm!("dc civac, {}", "dsb ish", in(reg) address, options(nostack, preserves_flags));
    }
}

/// Does nothing: no such instruction is known for this architecture.
///
/// # Safety
/// None is needed.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) unsafe fn flush(_address: *const usize) {}

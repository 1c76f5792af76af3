//! The counters that can be read without a system call, and how each reading is ordered.
//!
//! 1. Every function here only reads a counter that user mode may read: Linux and Windows leave `CR4.TSD` clear, and Linux leaves
//!    `CNTKCTL_EL1.EL0VCTEN` set.

use serde::{Deserialize, Serialize};

/// The source that a [`Clock`](super::Clock) reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The x86 time-stamp counter (Intel SDM vol. 3, "Time-Stamp Counter").
    Tsc,
    /// The virtual counter of the Arm generic timer, `CNTVCT_EL0`.
    Cntvct,
    /// The system's own clock: `clock_gettime(CLOCK_MONOTONIC)`, `QueryPerformanceCounter`; in nanoseconds.
    Monotonic,
}

/// Reads the processor's own counter.
///
/// `lfence` waits until every earlier instruction has completed, so the reading cannot be taken before the acquisition that it
/// ends. There is no second fence after `rdtsc`. A start stamp is followed by an atomic read-modify-write or a system call,
/// neither of which begins before older instructions have retired; and a plain load that a waiter hoists above the stamp costs
/// less than the counter's own precision. The second fence would add about a quarter to the price.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn processor() -> u64 {
    use core::arch::x86_64::{_mm_lfence, _rdtsc};
    // SAFETY: invariant 1; SSE2, which has `lfence`, is part of x86-64.
    unsafe {
        _mm_lfence();
        _rdtsc()
    }
}

/// Reads the processor's own counter.
///
/// `isb` keeps the counter read after every earlier instruction (Arm ARM, D11.2.2); as on x86-64, there is no fence after it.
#[cfg(target_arch = "aarch64")]
#[inline(always)]
pub(super) fn processor() -> u64 {
    let ticks: u64;
    // SAFETY: invariant 1; the block writes nothing but its output register.
    unsafe {
        core::arch::asm!("isb", "mrs {}, cntvct_el0", out(reg) ticks, options(nostack, preserves_flags));
    }
    ticks
}

/// Reads the kernel's clock instead: no counter is known for this architecture.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
#[inline(always)]
pub(super) fn processor() -> u64 {
    crate::platform::monotonic_ns()
}

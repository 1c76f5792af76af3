//! A bound on busy waiting in time, not in pauses.
//!
//! One pause instruction takes about 10 cycles on one processor and 140 on another, so "spin 100
//! times" takes 0.3 us on the one and 4 us on the other. The unit of spinning in this crate is
//! therefore a length of time: one [`SPIN_UNIT_NS`], about one pause of a recent x86 processor.
//!
//! | target | clock | one unit |
//! |---|---|---|
//! | x86-64 | time-stamp counter (`rdtsc`), taken as 2.56 GHz | 64 ticks: 32 ns at 2 GHz, 16 ns at 4 GHz |
//! | aarch64 | `cntvct_el0`, whose frequency is in `cntfrq_el0` | 25 ns, at least one tick |
//! | others, and under loom | none | one check of the lock and one spin hint |

/// The nominal length of one unit of spinning, in nanoseconds.
pub const SPIN_UNIT_NS: u32 = 25;

/// A timer that expires a number of spin units after it was made.
pub struct SpinTimer {
    start: u64,
    length: u64,
}

impl SpinTimer {
    /// Starts a timer that expires after this many units.
    #[inline]
    pub fn units(units: u32) -> Self {
        Self {
            start: source::start(),
            length: u64::from(units) * source::unit(),
        }
    }

    /// Returns the units since the start, for locks that learn from it.
    #[inline]
    pub fn spent_units(&mut self) -> u32 {
        let spent = source::since(&mut self.start) / source::unit();
        u32::try_from(spent).unwrap_or(u32::MAX)
    }

    /// Whether the time is up.
    #[inline]
    pub fn expired(&mut self) -> bool {
        source::since(&mut self.start) >= self.length
    }
}

/// Reads the clock, in ticks of no fixed length, for [`units_since`].
#[inline]
pub fn now() -> u64 {
    source::start()
}

/// Returns the units since a reading of the clock.
#[inline]
pub fn units_since(mut reading: u64) -> u32 {
    u32::try_from(source::since(&mut reading) / source::unit()).unwrap_or(u32::MAX)
}

#[cfg(all(target_arch = "x86_64", not(locktoll_loom)))]
mod source {
    #[inline]
    pub(super) fn start() -> u64 {
        // SAFETY: every x86-64 processor has the instruction. Linux lets a process disable it for itself (PR_SET_TSC), in
        // which case no clock of the C library works either.
        unsafe { core::arch::x86_64::_rdtsc() }
    }

    #[inline]
    pub(super) fn since(start: &mut u64) -> u64 {
        // The counters of two processors may differ slightly: a step back wraps to a huge value, which ends the spinning. The
        // error is then on the side of not spinning too long.
        self::start().wrapping_sub(*start)
    }

    #[inline]
    pub(super) const fn unit() -> u64 {
        64
    }
}

#[cfg(all(target_arch = "aarch64", not(locktoll_loom)))]
mod source {
    use core::arch::asm;

    use super::SPIN_UNIT_NS;

    #[inline]
    pub(super) fn start() -> u64 {
        let ticks: u64;
        // SAFETY: reads one register; Linux lets user space read the virtual counter.
        unsafe { asm!("mrs {}, cntvct_el0", out(reg) ticks, options(nomem, nostack)) };
        ticks
    }

    #[inline]
    pub(super) fn since(start: &mut u64) -> u64 {
        self::start().wrapping_sub(*start)
    }

    #[inline]
    pub(super) fn unit() -> u64 {
        let ticks_per_second: u64;
        // SAFETY: reads one register, as above.
        unsafe {
            asm!("mrs {}, cntfrq_el0", out(reg) ticks_per_second, options(nomem, nostack, pure));
        }
        (ticks_per_second * u64::from(SPIN_UNIT_NS) / 1_000_000_000).max(1)
    }
}

#[cfg(any(
    locktoll_loom,
    not(any(target_arch = "x86_64", target_arch = "aarch64"))
))]
mod source {
    /// Without a clock, the "start" is a count of checks.
    pub(super) fn start() -> u64 {
        0
    }

    pub(super) fn since(looks: &mut u64) -> u64 {
        let seen = *looks;
        *looks += 1;
        seen
    }

    pub(super) const fn unit() -> u64 {
        1
    }
}

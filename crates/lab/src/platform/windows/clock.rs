//! Windows' clock, and whether it trusts the processor's counter.

use std::sync::OnceLock;

use windows_sys::Win32::System::Performance::{QueryPerformanceCounter, QueryPerformanceFrequency};

/// Rates of timers outside the processor. They identify a QueryPerformanceCounter that Windows does not derive from the TSC
/// ("Acquiring high-resolution time stamps", Microsoft's documentation): the ACPI timer, and the HPET.
const TIMERS: [(u64, &str); 2] = [(3_579_545, "the ACPI timer"), (14_318_180, "the HPET")];

/// Returns the reason to believe that Windows keeps time by the TSC, as far as the rate of its counter shows, or the objection.
pub fn vouches_for_the_tsc() -> Result<Option<String>, String> {
    judge(counter_hz()).map(Some)
}

/// Windows names no clock source. A rate that is not another timer's means that the counter comes from an invariant TSC, where
/// there is one.
fn judge(counter_hz: u64) -> Result<String, String> {
    match TIMERS.iter().find(|(hz, _)| *hz == counter_hz) {
        Some((_, timer)) => Err(format!("Windows keeps time by {timer}, not by the TSC")),
        None => Ok(format!(
            "the processor promises an invariant TSC (CPUID 0x80000007), and QueryPerformanceCounter's {} MHz are not the rate of \
             another timer",
            counter_hz as f64 / 1e6
        )),
    }
}

/// Returns QueryPerformanceCounter's ticks per second, which are fixed at system start.
pub(super) fn counter_hz() -> u64 {
    static HZ: OnceLock<u64> = OnceLock::new();
    *HZ.get_or_init(|| {
        let mut hz = 0;
        // SAFETY: a place of our own for the result. The call has never failed since Windows XP.
        unsafe { QueryPerformanceFrequency(&raw mut hz) };
        hz.max(1).cast_unsigned()
    })
}

/// Reads QueryPerformanceCounter in nanoseconds.
#[inline]
pub fn monotonic_ns() -> u64 {
    let mut ticks = 0;
    // SAFETY: a place of our own for the result. The call has never failed since Windows XP.
    unsafe { QueryPerformanceCounter(&raw mut ticks) };
    in_ns(ticks.cast_unsigned(), counter_hz())
}

/// Converts whole seconds separately, so that the product does not overflow.
fn in_ns(ticks: u64, hz: u64) -> u64 {
    const SECOND_NS: u64 = 1_000_000_000;
    ticks / hz * SECOND_NS + ticks % hz * SECOND_NS / hz
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_that_keeps_time_by_another_timer_is_believed() {
        assert!(judge(3_579_545).unwrap_err().contains("ACPI"));
        assert!(judge(14_318_180).unwrap_err().contains("HPET"));
        assert!(judge(10_000_000).unwrap().contains("10 MHz"));
    }

    #[test]
    fn ticks_of_any_rate_become_nanoseconds() {
        assert_eq!(in_ns(25_000_001, 10_000_000), 2_500_000_100);
        assert_eq!(
            in_ns(u64::MAX / 1_000_000_000, 1),
            u64::MAX / 1_000_000_000 * 1_000_000_000
        );
        let hour = 3_600 * 3_579_545;
        assert_eq!(in_ns(hour, 3_579_545), 3_600 * 1_000_000_000);
    }

    #[test]
    fn it_never_goes_back() {
        let readings: Vec<u64> = (0..1000).map(|_| monotonic_ns()).collect();
        assert!(readings.is_sorted());
    }
}

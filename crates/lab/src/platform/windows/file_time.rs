//! Windows' time unit.

use windows_sys::Win32::Foundation::FILETIME;

/// Nanoseconds in a unit of `FILETIME`.
pub(super) const UNIT_NS: u64 = 100;

/// Returns the number of units in a `FILETIME` that is a duration.
pub(super) fn units(time: FILETIME) -> u64 {
    u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_count() {
        let time = FILETIME {
            dwLowDateTime: 2,
            dwHighDateTime: 1,
        };
        assert_eq!(units(time), (1 << 32) + 2);
    }
}

//! The two clocks.

use windows_sys::Win32::Foundation::FILETIME;
use windows_sys::Win32::System::Performance::{QueryPerformanceCounter, QueryPerformanceFrequency};
use windows_sys::Win32::System::SystemInformation::GetSystemTimePreciseAsFileTime;

use crate::system::DeadlineClock;

const NS_PER_SECOND: i64 = 1_000_000_000;

/// The system's time counts units of 100 ns from the year 1601.
const UNITS_PER_SECOND: i64 = 10_000_000;
/// The seconds from 1601 to 1970, where POSIX counts from.
const SECONDS_FROM_1601_TO_1970: i64 = 11_644_473_600;

/// Returns the seconds and nanoseconds since the clock's zero.
pub fn now(clock: DeadlineClock) -> (i64, i64) {
    match clock {
        DeadlineClock::Realtime => time_of_day(),
        DeadlineClock::Monotonic => since_start(),
    }
}

fn time_of_day() -> (i64, i64) {
    let mut time = FILETIME::default();
    // SAFETY: a place for the answer.
    unsafe { GetSystemTimePreciseAsFileTime(&raw mut time) };
    let units = i64::from(time.dwHighDateTime) << 32 | i64::from(time.dwLowDateTime);
    (
        units / UNITS_PER_SECOND - SECONDS_FROM_1601_TO_1970,
        units % UNITS_PER_SECOND * (NS_PER_SECOND / UNITS_PER_SECOND),
    )
}

fn since_start() -> (i64, i64) {
    let (mut count, mut per_second) = (0, 1);
    // SAFETY: places for the answers. Neither call has failed since Windows XP, and the frequency does not change.
    unsafe {
        QueryPerformanceFrequency(&raw mut per_second);
        QueryPerformanceCounter(&raw mut count);
    }
    (
        count / per_second,
        // Below 2^63 for a counter of up to 9 GHz.
        count % per_second * NS_PER_SECOND / per_second,
    )
}

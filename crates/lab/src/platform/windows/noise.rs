//! What Windows tells of others. It knows no stolen time, no threads ready to run and no quota of ours.

use windows_sys::Win32::Foundation::FILETIME;
use windows_sys::Win32::System::Threading::GetSystemTimes;

use super::accounts::{account_grain_ns, cpu_time_with_children};
use super::file_time::{UNIT_NS, units};
use crate::noise::{CpuTime, Reading};

/// Reads the counters.
pub(crate) fn noise_reading() -> Reading {
    Reading {
        cpus: cpu_time(),
        own_cpu: cpu_time_with_children(),
        ..Reading::default()
    }
}

fn cpu_time() -> Option<CpuTime> {
    let [mut idle, mut kernel, mut user] = [FILETIME::default(); 3];
    // SAFETY: three places of our own for the results.
    let told = unsafe { GetSystemTimes(&raw mut idle, &raw mut kernel, &raw mut user) } != 0;
    // Idle time is part of the kernel's.
    let total = units(kernel) + units(user);
    told.then(|| CpuTime {
        total,
        busy: total.saturating_sub(units(idle)),
        steal: None,
        unit_ns: UNIT_NS as f64,
        grain: account_grain_ns() / UNIT_NS,
    })
}

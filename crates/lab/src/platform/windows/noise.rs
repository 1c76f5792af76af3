//! The activity of other programs, as Windows reports it. It reports the load only on machines with one processor group. Windows
//! has no stolen time, no count of runnable threads and no quota of this kind.

use windows_sys::Win32::Foundation::FILETIME;
use windows_sys::Win32::System::Threading::{GetActiveProcessorGroupCount, GetSystemTimes};

use super::accounts::{account_grain_ns, cpu_time_with_children};
use super::file_time::{UNIT_NS, units};
use crate::platform::{CpuTime, Reading};

/// Reads the counters.
pub(crate) fn noise_reading() -> Reading {
    Reading {
        cpus: cpu_time(),
        own_cpu: cpu_time_with_children(),
        ..Reading::default()
    }
}

fn cpu_time() -> Option<CpuTime> {
    // SAFETY: takes nothing.
    let groups = unsafe { GetActiveProcessorGroupCount() };
    tells_all(groups).then(all_times).flatten()
}

/// Returns whether GetSystemTimes covers the whole machine. With more than one processor group, it covers only the calling
/// thread's primary group (its documentation), while our own threads may run in all groups.
fn tells_all(groups: u16) -> bool {
    groups <= 1
}

fn all_times() -> Option<CpuTime> {
    let [mut idle, mut kernel, mut user] = [FILETIME::default(); 3];
    // SAFETY: three places of our own for the results.
    let told = unsafe { GetSystemTimes(&raw mut idle, &raw mut kernel, &raw mut user) } != 0;
    // Kernel time includes idle time.
    let total = units(kernel) + units(user);
    told.then(|| CpuTime {
        total,
        busy: total.saturating_sub(units(idle)),
        steal: None,
        unit_ns: UNIT_NS as f64,
        grain: account_grain_ns() / UNIT_NS,
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::noise::Watch;

    #[test]
    fn times_of_one_group_are_not_those_of_all() {
        assert!(tells_all(1) && !tells_all(2));
    }

    #[test]
    fn a_real_stretch_knows_its_load_and_no_steal() {
        let watch = Watch::start();
        // Twenty clock ticks on one CPU.
        std::thread::sleep(Duration::from_millis(400));
        let noise = watch.finish();
        let load = noise
            .other_load_share
            .expect("GetSystemTimes does not fail");
        assert!((0.0..=1.0).contains(&load));
        assert_eq!((noise.steal_share, noise.runnable_others), (None, None));
        let json = serde_json::to_value(&noise).unwrap();
        assert!(json["steal"].is_null(), "{json}");
    }
}

//! The properties of the machine, as Windows reports them.

use windows_sys::Wdk::System::SystemServices::RtlGetVersion;
use windows_sys::Win32::System::SystemInformation::OSVERSIONINFOW;
use windows_sys::Win32::System::Threading::{ALL_PROCESSOR_GROUPS, GetActiveProcessorCount};

use super::clock::counter_hz;
use super::{cpuid, logical_processors, stand_in, topology};
use crate::platform::Machine;

/// Reads the properties, and changes nothing. Windows has no control groups, and its power plans are not governors.
pub fn observe(usable_cpus: Vec<usize>) -> Machine {
    // SAFETY: takes a plain number.
    let online = unsafe { GetActiveProcessorCount(ALL_PROCESSOR_GROUPS) } as usize;
    Machine {
        kernel: version().map(|version| {
            format!(
                "Windows {}.{}.{}",
                version.dwMajorVersion, version.dwMinorVersion, version.dwBuildNumber
            )
        }),
        libc: None,
        cpu_model: cpuid::cpu_model(),
        architecture: std::env::consts::ARCH.to_owned(),
        online_cpus: (online > 0).then_some(online),
        topology: topology::topology(&logical_processors::read(), &usable_cpus),
        usable_cpus,
        virtual_machine: cpuid::virtual_machine(),
        container: None,
        cgroup_version: None,
        cgroup: None,
        quota_cpus: None,
        governor: None,
        clocksource: Some(format!(
            "QueryPerformanceCounter at {} MHz",
            counter_hz() as f64 / 1e6
        )),
        stand_in: stand_in::stand_in(),
    }
}

/// Returns the build number of this Windows, or the one that it claims.
pub(super) fn build_number() -> Option<u32> {
    version().map(|version| version.dwBuildNumber)
}

/// Asks RtlGetVersion, because GetVersionEx reports an old version to programs without a manifest.
fn version() -> Option<OSVERSIONINFOW> {
    let mut version = OSVERSIONINFOW {
        dwOSVersionInfoSize: size_of::<OSVERSIONINFOW>() as u32,
        ..OSVERSIONINFOW::default()
    };
    // SAFETY: a struct of our own that states its size.
    (unsafe { RtlGetVersion(&raw mut version) } == 0).then_some(version)
}

#[cfg(test)]
mod tests {
    use crate::platform::Machine;

    #[test]
    fn the_system_has_a_version_and_a_clock_and_no_facts_of_another() {
        let machine = Machine::observe();
        let kernel = machine.kernel.expect("RtlGetVersion does not fail");
        assert!(kernel.starts_with("Windows "), "{kernel}");
        let clock = machine.clocksource.expect("always there");
        assert!(clock.starts_with("QueryPerformanceCounter at "), "{clock}");
        let online = machine
            .online_cpus
            .expect("GetActiveProcessorCount does not fail");
        assert!(online >= machine.usable_cpus.len());
        assert_eq!(machine.cgroup_version, None);
        assert_eq!(machine.governor, None);
    }
}

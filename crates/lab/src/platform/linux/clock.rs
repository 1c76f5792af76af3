//! The kernel's clock, and whether it trusts the processor's counter.

/// Kernel clocksources that are themselves computed from the counter, so that the kernel vouches for it: that of bare metal, and
/// the paravirtual clocks of KVM and Hyper-V.
///
/// Xen's is left out: under Xen a domain's counter may be scaled, or trapped and emulated, anew
/// after each migration.
const VOUCHING: [&str; 4] = [
    "tsc",
    "tsc-early",
    "kvm-clock",
    "hyperv_clocksource_tsc_page",
];

const CURRENT_CLOCKSOURCE: &str =
    "/sys/devices/system/clocksource/clocksource0/current_clocksource";

/// Returns `Ok` if the kernel keeps time by the TSC, otherwise the objection. The kernel names its clocksource, so `Ok` needs no
/// further reason (`None`).
///
/// An unreadable clocksource (a container without `/sys`) does not count as distrust: the processor's own promise decides.
pub fn vouches_for_the_tsc() -> Result<Option<String>, String> {
    let clocksource = std::fs::read_to_string(CURRENT_CLOCKSOURCE).ok();
    judge(clocksource.as_deref().map(str::trim)).map(|()| None)
}

fn judge(clocksource: Option<&str>) -> Result<(), String> {
    match clocksource {
        Some(name) if !VOUCHING.contains(&name) => {
            Err(format!("the kernel keeps time by {name}, not by the TSC"))
        }
        _ => Ok(()),
    }
}

/// Reads `CLOCK_MONOTONIC` in nanoseconds (clock_gettime(2); through the vDSO where there is one).
#[inline]
pub fn monotonic_ns() -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: every process has this clock; `time` is a valid place for the result. The call fails only for an
    // unknown clock or a bad address, and this is neither.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_that_keeps_time_otherwise_is_believed() {
        for name in ["hpet", "acpi_pm", "jiffies", "xen", "refined-jiffies"] {
            let reason = judge(Some(name)).unwrap_err();
            assert!(reason.contains(name), "{reason}");
        }
    }

    #[test]
    fn clocks_made_from_the_counter_vouch_for_it() {
        for name in VOUCHING {
            assert_eq!(judge(Some(name)), Ok(()));
        }
        assert_eq!(judge(None), Ok(()));
    }
}

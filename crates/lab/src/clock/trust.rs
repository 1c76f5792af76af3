//! Whether the processor's counter may be used as a clock here.

use super::counter::Source;

/// Kernel clocksources that are themselves computed from the counter, so that the kernel vouches
/// for it: bare metal, KVM's and Hyper-V's paravirtual clocks.
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

/// The source to use, or why it has to be the kernel's clock.
pub(super) fn processor_counter() -> Result<Source, String> {
    if cfg!(target_arch = "aarch64") {
        // The architecture defines one system-wide counter of constant rate.
        return Ok(Source::Cntvct);
    }
    if !cfg!(target_arch = "x86_64") {
        return Err("no counter is known for this architecture".into());
    }
    let clocksource = std::fs::read_to_string(CURRENT_CLOCKSOURCE).ok();
    judge_tsc(invariant_tsc(), clocksource.as_deref().map(str::trim))
}

/// The rule itself, apart from where its two facts come from.
///
/// An unreadable clocksource (a container without `/sys`) is no sign of distrust: the processor's
/// own promise decides.
fn judge_tsc(invariant: bool, clocksource: Option<&str>) -> Result<Source, String> {
    if !invariant {
        return Err("the processor does not promise an invariant TSC (CPUID 0x80000007)".into());
    }
    match clocksource {
        Some(name) if !VOUCHING.contains(&name) => {
            Err(format!("the kernel keeps time by {name}, not by the TSC"))
        }
        _ => Ok(Source::Tsc),
    }
}

/// CPUID leaf 0x80000007, EDX bit 8: the TSC runs at a constant rate in all power states.
#[cfg(target_arch = "x86_64")]
fn invariant_tsc() -> bool {
    use core::arch::x86_64::__cpuid;
    __cpuid(0x8000_0000).eax >= 0x8000_0007 && __cpuid(0x8000_0007).edx & (1 << 8) != 0
}

#[cfg(not(target_arch = "x86_64"))]
fn invariant_tsc() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_that_may_stop_is_refused() {
        let reason = judge_tsc(false, Some("tsc")).unwrap_err();
        assert!(reason.contains("invariant"), "{reason}");
    }

    #[test]
    fn a_kernel_that_keeps_time_otherwise_is_believed() {
        for name in ["hpet", "acpi_pm", "jiffies", "xen", "refined-jiffies"] {
            let reason = judge_tsc(true, Some(name)).unwrap_err();
            assert!(reason.contains(name), "{reason}");
        }
    }

    #[test]
    fn clocks_made_from_the_counter_vouch_for_it() {
        for name in VOUCHING {
            assert_eq!(judge_tsc(true, Some(name)), Ok(Source::Tsc));
        }
        assert_eq!(judge_tsc(true, None), Ok(Source::Tsc));
    }
}

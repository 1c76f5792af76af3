//! Whether the processor's counter may be used as a clock here.

use super::counter::Source;
use crate::platform;

/// The source to use, or why it has to be the kernel's clock.
pub(super) fn processor_counter() -> Result<Source, String> {
    if cfg!(target_arch = "aarch64") {
        // The architecture defines one system-wide counter of constant rate.
        return Ok(Source::Cntvct);
    }
    if !cfg!(target_arch = "x86_64") {
        return Err("no counter is known for this architecture".into());
    }
    judge_tsc(invariant_tsc(), platform::vouches_for_the_tsc())
}

/// The rule itself, apart from where its two facts come from.
fn judge_tsc(invariant: bool, system: Result<(), String>) -> Result<Source, String> {
    if !invariant {
        return Err("the processor does not promise an invariant TSC (CPUID 0x80000007)".into());
    }
    system.map(|()| Source::Tsc)
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
        let reason = judge_tsc(false, Ok(())).unwrap_err();
        assert!(reason.contains("invariant"), "{reason}");
    }

    #[test]
    fn a_system_that_keeps_time_otherwise_is_believed() {
        let system = Err("the kernel keeps time by hpet".to_owned());
        assert_eq!(
            judge_tsc(true, system.clone()),
            system.map(|()| Source::Tsc)
        );
        assert_eq!(judge_tsc(true, Ok(())), Ok(Source::Tsc));
    }
}

//! Whether the processor's counter may be used as a clock here.

use super::counter::Source;
use crate::platform;

/// A counter that may be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Trusted {
    pub(super) source: Source,
    /// The reason to trust it, if the system does not name it as its own time source.
    pub(super) because: Option<String>,
}

/// Returns the counter to use, or why the kernel's clock has to be used instead.
pub(super) fn processor_counter() -> Result<Trusted, String> {
    if cfg!(target_arch = "aarch64") {
        // The architecture defines one system-wide counter of constant rate.
        return Ok(Trusted {
            source: Source::Cntvct,
            because: None,
        });
    }
    if !cfg!(target_arch = "x86_64") {
        return Err("no counter is known for this architecture".into());
    }
    judge_tsc(invariant_tsc(), platform::vouches_for_the_tsc())
}

/// The rule itself, separate from the sources of its two facts.
fn judge_tsc(invariant: bool, system: Result<Option<String>, String>) -> Result<Trusted, String> {
    if !invariant {
        return Err("the processor does not promise an invariant TSC (CPUID 0x80000007)".into());
    }
    system.map(|because| Trusted {
        source: Source::Tsc,
        because,
    })
}

/// Reads CPUID leaf 0x80000007, EDX bit 8: the TSC runs at a constant rate in all power states.
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
        let reason = judge_tsc(false, Ok(None)).unwrap_err();
        assert!(reason.contains("invariant"), "{reason}");
    }

    #[test]
    fn a_system_that_keeps_time_otherwise_is_believed() {
        let reason = judge_tsc(true, Err("the kernel keeps time by hpet".into())).unwrap_err();
        assert!(reason.contains("hpet"), "{reason}");
    }

    #[test]
    fn what_speaks_for_the_counter_is_kept() {
        let because = Some("the rate of the system's clock".to_owned());
        let trusted = judge_tsc(true, Ok(because.clone())).unwrap();
        assert_eq!((trusted.source, trusted.because), (Source::Tsc, because));
    }
}

//! What this process may do, and what of that it still needs once its programs are at work.

use rustix::thread::{CapabilitySet, CapabilitySets, capabilities, set_capabilities};

/// Reading of processes that are not ours (their memory maps, their files as they see them), and writing where the user told us to.
const STILL_NEEDED: CapabilitySet = CapabilitySet::SYS_PTRACE
    .union(CapabilitySet::DAC_READ_SEARCH)
    .union(CapabilitySet::DAC_OVERRIDE)
    .union(CapabilitySet::CHECKPOINT_RESTORE);

/// The first kernel whose maps can be used without CAP_BPF by who has them open (`kernel.unprivileged_bpf_disabled` in 5.19's notes).
const MAPS_ARE_OURS: (u32, u32) = (5, 19);

/// Gives up what the calling thread does not need any more now that its programs are loaded and attached. Where that fails, nothing is
/// lost but caution.
pub fn drop_unneeded() {
    if let Ok(sets) = capabilities(None) {
        let release = rustix::system::uname();
        let kept = kept(sets, release.release().to_str().unwrap_or_default());
        let _ = set_capabilities(None, kept);
    }
}

/// What is left of `sets` on a kernel of this release.
fn kept(sets: CapabilitySets, release: &str) -> CapabilitySets {
    let mut needed = STILL_NEEDED;
    if version(release).is_none_or(|version| version < MAPS_ARE_OURS) {
        needed |= CapabilitySet::BPF | CapabilitySet::SYS_ADMIN;
    }
    CapabilitySets {
        effective: sets.effective & needed,
        permitted: sets.permitted & needed,
        inheritable: sets.inheritable & needed,
    }
}

/// The first two numbers of a release.
fn version(release: &str) -> Option<(u32, u32)> {
    let mut numbers = release.split(['.', '-']).map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> CapabilitySets {
        CapabilitySets {
            effective: CapabilitySet::all(),
            permitted: CapabilitySet::all(),
            inheritable: CapabilitySet::empty(),
        }
    }

    #[test]
    fn what_reads_other_processes_stays_and_what_loads_programs_goes() {
        let left = kept(all(), "6.1.0-18-amd64");
        assert!(left.permitted.contains(CapabilitySet::SYS_PTRACE));
        for gone in [
            CapabilitySet::BPF,
            CapabilitySet::PERFMON,
            CapabilitySet::SYS_ADMIN,
            CapabilitySet::NET_ADMIN,
        ] {
            assert!(!left.permitted.contains(gone) && !left.effective.contains(gone));
        }
    }

    #[test]
    fn an_older_kernel_asks_for_it_at_every_look_into_a_map() {
        for release in ["5.10.0-28-amd64", "5.18.2", "unreadable"] {
            assert!(
                kept(all(), release).permitted.contains(CapabilitySet::BPF),
                "{release}"
            );
        }
        assert!(!kept(all(), "5.19").permitted.contains(CapabilitySet::BPF));
    }

    #[test]
    fn nothing_is_gained() {
        let none = CapabilitySets {
            effective: CapabilitySet::empty(),
            permitted: CapabilitySet::BPF,
            inheritable: CapabilitySet::empty(),
        };
        assert_eq!(kept(none, "6.1.0").permitted, CapabilitySet::empty());
        assert_eq!(kept(none, "5.4.0").effective, CapabilitySet::empty());
    }
}

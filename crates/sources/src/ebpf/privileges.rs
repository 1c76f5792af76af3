//! The capabilities of this process, and those that it still needs once its programs are attached.

use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, remove_capability_from_bounding_set,
    set_capabilities, set_no_new_privs,
};

/// A duty of a thread that still needs privileges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duty {
    /// Reads /proc of other users' processes, and files that only others may read.
    ReadOthers,
    /// Opens the files that processes have mapped, through /proc/PID/map_files.
    OpenMapped,
    /// Loads and attaches further programs.
    Load,
    /// Runs before all ordinary threads for a moment.
    ComeFirst,
    /// Sends signals to a program that may now run as another user.
    Signal,
    /// Writes into another user's folder, or over a file that stays theirs.
    WriteForOthers,
}

impl Duty {
    fn takes(self) -> CapabilitySet {
        match self {
            Self::ReadOthers => CapabilitySet::SYS_PTRACE | CapabilitySet::DAC_READ_SEARCH,
            Self::OpenMapped => CapabilitySet::CHECKPOINT_RESTORE,
            Self::Load => CapabilitySet::BPF | CapabilitySet::PERFMON,
            Self::ComeFirst => CapabilitySet::SYS_NICE,
            Self::Signal => CapabilitySet::KILL,
            Self::WriteForOthers => {
                CapabilitySet::DAC_OVERRIDE | CapabilitySet::CHOWN | CapabilitySet::FOWNER
            }
        }
    }
}

/// The first kernel whose maps can be used without CAP_BPF by a process that has them open (`kernel.unprivileged_bpf_disabled` in
/// 5.19's notes).
const MAPS_ARE_OURS: (u32, u32) = (5, 19);

/// Gives up the capabilities that these duties do not need, in the calling thread and in the threads that it starts from now on.
/// A program that it starts does not gain any of them either. If this fails, only the precaution is lost.
pub fn keep_for(duties: &[Duty]) {
    let Ok(sets) = capabilities(None) else {
        return;
    };
    let release = rustix::system::uname();
    let needed = needed(duties, release.release().to_str().unwrap_or_default());
    // This comes first, since it needs a capability itself.
    for capability in CapabilitySet::all().difference(needed).iter() {
        let _ = remove_capability_from_bounding_set(capability);
    }
    // The ambient set loses the same capabilities as the others.
    let _ = set_capabilities(None, kept(sets, needed));
    let _ = set_no_new_privs(true);
}

/// Does `work` in the calling thread as it would be done without any of our capabilities.
pub fn without<T>(work: impl FnOnce() -> T) -> T {
    let sets = capabilities(None);
    if let Ok(sets) = sets {
        let nothing = CapabilitySets {
            effective: CapabilitySet::empty(),
            ..sets
        };
        let _ = set_capabilities(None, nothing);
    }
    let done = work();
    if let Ok(sets) = sets {
        // Permitted capabilities may be made effective again.
        let _ = set_capabilities(None, sets);
    }
    done
}

/// Returns the capabilities that the duties need on a kernel of this release.
fn needed(duties: &[Duty], release: &str) -> CapabilitySet {
    let mut needed = CapabilitySet::empty();
    for duty in duties {
        needed |= duty.takes();
    }
    if version(release).is_none_or(|version| version < MAPS_ARE_OURS) {
        needed |= CapabilitySet::BPF | CapabilitySet::SYS_ADMIN;
    }
    needed
}

/// Returns the part of `sets` that is kept.
fn kept(sets: CapabilitySets, needed: CapabilitySet) -> CapabilitySets {
    CapabilitySets {
        effective: sets.effective & needed,
        permitted: sets.permitted & needed,
        inheritable: sets.inheritable & needed,
    }
}

/// Returns the first two numbers of a release.
fn version(release: &str) -> Option<(u32, u32)> {
    let mut numbers = release.split(['.', '-']).map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ATTACH: [Duty; 2] = [Duty::ReadOthers, Duty::OpenMapped];

    #[test]
    fn a_duty_takes_what_it_takes_and_no_more() {
        let needed = |duties: &[Duty]| needed(duties, "6.1.0-18-amd64");
        assert_eq!(needed(&[]), CapabilitySet::empty());
        let attach = CapabilitySet::SYS_PTRACE
            | CapabilitySet::DAC_READ_SEARCH
            | CapabilitySet::CHECKPOINT_RESTORE;
        assert_eq!(needed(&ATTACH), attach);
        let loading = CapabilitySet::BPF | CapabilitySet::PERFMON;
        assert_eq!(needed(&[Duty::Load]), loading);
    }

    #[test]
    fn an_older_kernel_asks_for_it_at_every_look_into_a_map() {
        for release in ["5.10.0-28-amd64", "5.18.2", "unreadable"] {
            assert!(
                needed(&ATTACH, release).contains(CapabilitySet::BPF),
                "{release}"
            );
        }
        assert!(!needed(&ATTACH, "5.19").contains(CapabilitySet::BPF));
    }

    #[test]
    fn nothing_is_gained() {
        let none = CapabilitySets {
            effective: CapabilitySet::empty(),
            permitted: CapabilitySet::BPF,
            inheritable: CapabilitySet::empty(),
        };
        let kept = kept(none, needed(&ATTACH, "5.4.0"));
        assert_eq!(kept.effective, CapabilitySet::empty());
        assert_eq!(kept.permitted, CapabilitySet::BPF);
    }

    #[test]
    fn without_them_is_for_the_time_of_the_work() {
        let before = capabilities(None).unwrap();
        let meanwhile = without(|| capabilities(None).unwrap());
        assert_eq!(meanwhile.effective, CapabilitySet::empty());
        assert_eq!(capabilities(None).unwrap(), before);
    }
}

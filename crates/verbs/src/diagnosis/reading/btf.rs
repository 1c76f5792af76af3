//! The kernel's type information (BTF), and the features that its names show.
//!
//! The names show more than the version does, since distributions backport features to older kernels. libbpf detects features in
//! the same way, by the values of the kernel's own enumerations. The format: Documentation/bpf/btf.rst.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::Path;

use super::Feature;
use super::btf_sections::Sections;

/// Where the kernel shows its types.
const FILE: &str = "/sys/kernel/btf/vmlinux";

/// A folder that sysfs has, whatever the kernel was built with.
const SYSFS: &str = "/sys/kernel";

/// The kernel's types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Btf {
    /// The types are there and show these features.
    Present(BTreeSet<Feature>),
    /// The kernel shows no types.
    Absent,
    /// It is not known whether it shows types: sysfs is not mounted, as in a bare chroot(2).
    NoSysfs,
    /// The types could not be read, and why.
    Unreadable(String),
}

/// Reads the running kernel's types.
pub fn read() -> Btf {
    match std::fs::read(FILE) {
        Ok(bytes) => match features(&bytes) {
            Some(features) => Btf::Present(features),
            None => Btf::Unreadable(format!("{FILE} is no BTF")),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => match Path::new(SYSFS).exists() {
            true => Btf::Absent,
            false => Btf::NoSysfs,
        },
        Err(error) => Btf::Unreadable(format!("{FILE}: {error}")),
    }
}

/// Returns the features that the names show; `None` if this is not BTF.
fn features(bytes: &[u8]) -> Option<BTreeSet<Feature>> {
    let sections = Sections::of(bytes)?;
    let known = |name: &[u8]| {
        Feature::ALL
            .into_iter()
            .find(|feature| feature.type_name().is_some_and(|it| it.as_bytes() == name))
    };
    let names = sections.names.split(|byte| *byte == 0);
    let mut features: BTreeSet<Feature> = names.filter_map(known).collect();
    let switch = sections.arguments("btf_trace_sched_switch");
    if switch.is_some_and(|arguments| arguments >= Feature::SWITCH_ARGUMENTS) {
        features.insert(Feature::SwitchState);
    }
    Some(features)
}

#[cfg(test)]
mod tests {
    use super::super::btf_sections::made_up;
    use super::*;
    use crate::diagnosis::KernelVersion;

    #[test]
    fn names_show_features_and_parts_of_names_do_not() {
        let found = features(&made_up(
            b"\0BPF_FUNC_loop\0xbtf_trace_sys_enter\0btf_trace_sched_switch_idle\0BPF_MAP_TYPE_TASK_STORAGE",
        ));
        assert_eq!(
            found,
            Some([Feature::Loop, Feature::TaskStorage].into_iter().collect())
        );
        assert_eq!(features(&made_up(b"")), Some(BTreeSet::new()));
    }

    #[test]
    fn what_is_no_btf_is_told() {
        assert_eq!(features(b""), None);
        assert_eq!(features(&[0; 40]), None);
        let mut cut = made_up(b"\0BPF_FUNC_loop\0");
        cut.pop();
        assert_eq!(features(&cut), None);
    }

    #[test]
    fn the_running_kernel_has_what_its_version_promises() {
        let Btf::Present(features) = read() else {
            locktoll_needs::refused("this kernel shows no BTF");
            return;
        };
        let release = super::super::small_files::text("/proc/sys/kernel/osrelease").unwrap();
        let version = KernelVersion::of_release(&release).unwrap();
        for feature in [Feature::TaskStorage, Feature::Loop, Feature::SwitchState] {
            if version >= feature.since() {
                assert!(features.contains(&feature), "{feature:?} of {release}");
            }
        }
    }
}

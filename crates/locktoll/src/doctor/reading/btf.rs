//! The kernel's type information (BTF), and which features its names show.
//!
//! The names say more than the version: distributions carry features back to older kernels. libbpf asks the same way, by
//! the values of the kernel's own enumerations. The format: Documentation/bpf/btf.rst.

use std::collections::BTreeSet;
use std::io::ErrorKind;

use crate::doctor::KernelVersion;

/// Where the kernel shows its types.
const FILE: &str = "/sys/kernel/btf/vmlinux";

/// A feature of the kernel that tracing programs rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// Buffers through which programs send events.
    RingBuffer,
    /// Memory of a program for each thread.
    TaskStorage,
    /// Loops in programs.
    Loop,
    /// The tracepoint of context switches.
    SchedSwitch,
    /// The tracepoints of system calls.
    SystemCalls,
    /// The tracepoints of contended kernel locks.
    Contention,
}

impl Feature {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::RingBuffer,
        Self::TaskStorage,
        Self::Loop,
        Self::SchedSwitch,
        Self::SystemCalls,
        Self::Contention,
    ];

    /// The name among the kernel's types that shows it.
    pub const fn type_name(self) -> &'static str {
        match self {
            Self::RingBuffer => "BPF_MAP_TYPE_RINGBUF",
            Self::TaskStorage => "BPF_MAP_TYPE_TASK_STORAGE",
            Self::Loop => "BPF_FUNC_loop",
            Self::SchedSwitch => "btf_trace_sched_switch",
            Self::SystemCalls => "btf_trace_sys_enter",
            Self::Contention => "btf_trace_contention_begin",
        }
    }

    /// What it is called.
    pub const fn words(self) -> &'static str {
        match self {
            Self::RingBuffer => "BPF ring buffers",
            Self::TaskStorage => "BPF task storage",
            Self::Loop => "bpf_loop",
            Self::SchedSwitch => "the tracepoint sched_switch",
            Self::SystemCalls => "the tracepoint sys_enter",
            Self::Contention => "the tracepoints lock:contention_begin and contention_end",
        }
    }

    /// The first version that has it. Tracepoints of the scheduler and of system calls are older than BTF, which came to
    /// tracing programs with 5.5.
    pub const fn since(self) -> KernelVersion {
        match self {
            Self::SchedSwitch | Self::SystemCalls => KernelVersion(5, 5),
            Self::RingBuffer => KernelVersion(5, 8),
            Self::TaskStorage => KernelVersion(5, 11),
            Self::Loop => KernelVersion(5, 17),
            Self::Contention => KernelVersion(5, 19),
        }
    }
}

/// The kernel's types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Btf {
    /// There, with these features.
    Present(BTreeSet<Feature>),
    /// The kernel shows none.
    Absent,
    /// It could not be read, and why.
    Unreadable(String),
}

/// Looks at the running kernel's.
pub fn read() -> Btf {
    match std::fs::read(FILE) {
        Ok(bytes) => match features(&bytes) {
            Some(features) => Btf::Present(features),
            None => Btf::Unreadable(format!("{FILE} is no BTF")),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => Btf::Absent,
        Err(error) => Btf::Unreadable(format!("{FILE}: {error}")),
    }
}

/// The features that the names in it show; `None` if it is no BTF.
fn features(bytes: &[u8]) -> Option<BTreeSet<Feature>> {
    const MAGIC: u16 = 0xeb9f;
    let word = |at: usize| Some(u32::from_ne_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let magic = u16::from_ne_bytes(bytes.get(..2)?.try_into().ok()?);
    if magic != MAGIC {
        return None;
    }
    // struct btf_header: magic, version, flags, then hdr_len, type_off, type_len, str_off, str_len.
    let start = (word(4)? as usize).checked_add(word(16)? as usize)?;
    let end = start.checked_add(word(20)? as usize)?;
    let names = bytes.get(start..end)?;
    let known = |name: &[u8]| {
        Feature::ALL
            .into_iter()
            .find(|feature| feature.type_name().as_bytes() == name)
    };
    Some(names.split(|byte| *byte == 0).filter_map(known).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn btf(names: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0x9f, 0xeb, 1, 0];
        if cfg!(target_endian = "big") {
            bytes.swap(0, 1);
        }
        for word in [24_u32, 0, 8, 8, names.len() as u32] {
            bytes.extend(word.to_ne_bytes());
        }
        bytes.extend([0xff; 8]);
        bytes.extend(names);
        bytes
    }

    #[test]
    fn names_show_features_and_parts_of_names_do_not() {
        let found = features(&btf(
            b"\0BPF_FUNC_loop\0xbtf_trace_sys_enter\0btf_trace_sched_switch_idle\0BPF_MAP_TYPE_RINGBUF",
        ));
        assert_eq!(
            found,
            Some([Feature::Loop, Feature::RingBuffer].into_iter().collect())
        );
        assert_eq!(features(&btf(b"")), Some(BTreeSet::new()));
    }

    #[test]
    fn what_is_no_btf_is_told() {
        assert_eq!(features(b""), None);
        assert_eq!(features(&[0; 40]), None);
        let mut cut = btf(b"\0BPF_FUNC_loop\0");
        cut.pop();
        assert_eq!(features(&cut), None);
    }

    #[test]
    fn the_running_kernel_has_what_its_version_promises() {
        let Btf::Present(features) = read() else {
            eprintln!("skipped: this kernel shows no BTF");
            return;
        };
        let release = super::super::text::text("/proc/sys/kernel/osrelease").unwrap();
        let version = KernelVersion::of_release(&release).unwrap();
        for feature in [Feature::RingBuffer, Feature::TaskStorage, Feature::Loop] {
            if version >= feature.since() {
                assert!(features.contains(&feature), "{feature:?} of {release}");
            }
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(mut bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            if bytes.len() > 2 {
                bytes[..2].copy_from_slice(&0xeb9f_u16.to_ne_bytes());
            }
            let _ = features(&bytes);
        }
    }
}

//! Capabilities (capabilities(7)), as far as measurements depend on them.

use std::fmt;

use serde::Serialize;

/// A capability that some verb can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Capability {
    /// Files that other users keep to themselves.
    DacReadSearch,
    /// Modules and symbols of other users' processes.
    SysPtrace,
    /// Includes `CAP_BPF` and `CAP_PERFMON`, which were split off from it in Linux 5.8.
    SysAdmin,
    /// Real-time scheduling.
    SysNice,
    /// Addresses of the kernel's functions.
    Syslog,
    /// Programs that observe the kernel, and its performance counters.
    Perfmon,
    /// Loading BPF programs.
    Bpf,
}

impl Capability {
    /// Returns its number in `linux/capability.h`, which is its bit in `/proc/self/status`.
    pub const fn bit(self) -> u32 {
        match self {
            Self::DacReadSearch => 2,
            Self::SysPtrace => 19,
            Self::SysAdmin => 21,
            Self::SysNice => 23,
            Self::Syslog => 34,
            Self::Perfmon => 38,
            Self::Bpf => 39,
        }
    }

    /// Returns its name without `CAP_`, as container engines expect it.
    pub const fn short_name(self) -> &'static str {
        match self {
            Self::DacReadSearch => "DAC_READ_SEARCH",
            Self::SysPtrace => "SYS_PTRACE",
            Self::SysAdmin => "SYS_ADMIN",
            Self::SysNice => "SYS_NICE",
            Self::Syslog => "SYSLOG",
            Self::Perfmon => "PERFMON",
            Self::Bpf => "BPF",
        }
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CAP_{}", self.short_name())
    }
}

/// A set of capabilities, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capabilities(pub u64);

impl Capabilities {
    /// Whether it contains the capability itself.
    pub fn contains(self, capability: Capability) -> bool {
        self.0 & (1 << capability.bit()) != 0
    }

    /// Whether it permits what the capability permits: `CAP_SYS_ADMIN` includes the capabilities that were split off from it, and
    /// `CAP_DAC_OVERRIDE` opens files too.
    pub fn permits(self, capability: Capability) -> bool {
        let split_off = matches!(capability, Capability::Bpf | Capability::Perfmon);
        const DAC_OVERRIDE: u64 = 1 << 1;
        let opens = capability == Capability::DacReadSearch && self.0 & DAC_OVERRIDE != 0;
        self.contains(capability) || (split_off && self.contains(Capability::SysAdmin)) || opens
    }

    /// Returns a set of exactly these.
    #[cfg(test)]
    pub fn of(capabilities: &[Capability]) -> Self {
        Self(
            capabilities
                .iter()
                .fold(0, |bits, capability| bits | 1 << capability.bit()),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_old_capability_stands_for_what_was_split_off_it() {
        let admin = Capabilities::of(&[Capability::SysAdmin]);
        assert!(admin.permits(Capability::Bpf) && !admin.contains(Capability::Bpf));
        assert!(!admin.permits(Capability::SysPtrace));
        let bpf = Capabilities::of(&[Capability::Bpf]);
        assert_eq!(bpf.0, 0x80_0000_0000);
        assert!(bpf.permits(Capability::Bpf) && !bpf.permits(Capability::Perfmon));
    }

    /// The full set of a kernel that knows 41 capabilities.
    #[test]
    fn root_has_all_of_them() {
        let root = Capabilities(0x1ff_ffff_ffff);
        for capability in [
            Capability::SysPtrace,
            Capability::SysAdmin,
            Capability::SysNice,
            Capability::Syslog,
            Capability::Perfmon,
            Capability::Bpf,
        ] {
            assert!(root.contains(capability), "{capability}");
        }
    }
}

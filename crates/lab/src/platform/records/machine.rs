//! The properties of a machine.

use serde::{Deserialize, Serialize};

use super::Topology;

/// The readable properties of this machine. An unreadable one is `None`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Machine {
    /// Kernel release, as `uname -r` prints it.
    pub kernel: Option<String>,
    /// C library and version.
    pub libc: Option<String>,
    /// The processor's own name.
    pub cpu_model: Option<String>,
    /// Instruction set this program was built for.
    pub architecture: String,
    /// CPUs that are online, whether or not this process may use them.
    pub online_cpus: Option<usize>,
    /// CPUs that the observing thread may run on: affinity and cpuset, not quota.
    pub usable_cpus: Vec<usize>,
    /// Packages, cores, siblings, caches and memory nodes.
    pub topology: Topology,
    /// Whether a hypervisor runs this system.
    pub virtual_machine: Option<bool>,
    /// Kind of container, from the marks that engines leave.
    pub container: Option<String>,
    /// The interface that governs this process's CPU time.
    pub cgroup_version: Option<CgroupVersion>,
    /// Path of that control group, as this process sees it.
    pub cgroup: Option<String>,
    /// The quota of the tightest control group, in CPUs' worth of time; `None` means no limit.
    pub quota_cpus: Option<f64>,
    /// Frequency governor of the first usable CPU.
    pub governor: Option<String>,
    /// The kernel's current clock source.
    pub clocksource: Option<String>,
    /// The program that imitates the system or the processor here, and what it imitates (`Wine 8.0, not Windows`); `None` on the
    /// real thing. Figures from a stand-in say nothing about the real system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stand_in: Option<String>,
}

/// Which of the two interfaces governs this process's CPU time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CgroupVersion {
    /// The `cpu` controller of cgroup v1.
    V1,
    /// cgroup v2.
    V2,
}

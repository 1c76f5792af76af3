//! The machine as a report shows it.

use serde::{Deserialize, Serialize};

use super::affinity::usable_cpus;
use super::cgroup::{Cgroup, CgroupVersion};
use super::cpu_list::parse_kernel_list;
use super::identity;
use super::topology::Topology;
use super::tree::Tree;
use crate::platform::stand_in;

/// What could be read of this machine. What could not is `None`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// Kernel release, as `uname -r` says.
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
    /// CPUs' worth of time that the tightest control group allows; `None` is no limit.
    pub quota_cpus: Option<f64>,
    /// Frequency governor of the first usable CPU.
    pub governor: Option<String>,
    /// The kernel's current clock source.
    pub clocksource: Option<String>,
    /// What plays the system or the processor here, and is not it (`Wine 8.0, not Windows`); `None` on the real thing.
    /// Figures from a stand-in say nothing about what it stands in for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stand_in: Option<String>,
}

impl Machine {
    /// Looks, and changes nothing.
    pub fn observe() -> Machine {
        // If the kernel will not say which CPUs are usable, one is certain to run this very line.
        let usable = usable_cpus().unwrap_or_else(|_| vec![0]);
        Self::observe_in(&Tree::system(), usable)
    }

    fn observe_in(tree: &Tree, usable_cpus: Vec<usize>) -> Machine {
        let cgroup = Cgroup::read(tree);
        let governor = usable_cpus.first().and_then(|cpu| {
            tree.text(&format!(
                "/sys/devices/system/cpu/cpu{cpu}/cpufreq/scaling_governor"
            ))
        });
        Machine {
            kernel: tree.text("/proc/sys/kernel/osrelease"),
            libc: identity::libc_version(),
            cpu_model: identity::cpu_model(tree),
            architecture: std::env::consts::ARCH.to_owned(),
            online_cpus: tree
                .text("/sys/devices/system/cpu/online")
                .and_then(|text| parse_kernel_list(&text))
                .map(|cpus| cpus.len()),
            topology: Topology::read(tree, &usable_cpus),
            usable_cpus,
            virtual_machine: identity::virtual_machine(tree),
            container: identity::container(tree, cgroup.path.as_deref()),
            cgroup_version: cgroup.version,
            cgroup: cgroup.path,
            quota_cpus: cgroup.quota_cpus,
            governor,
            clocksource: tree
                .text("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
            stand_in: stand_in(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree::fake;
    use super::*;

    #[test]
    fn this_machine_has_a_cpu() {
        let machine = Machine::observe();
        assert!(!machine.usable_cpus.is_empty());
        assert_eq!(machine.topology.cpus.len(), machine.usable_cpus.len());
        let json = serde_json::to_value(&machine).unwrap();
        assert!(json["usable_cpus"].is_array());
    }

    #[test]
    fn without_proc_and_sys_everything_is_unknown() {
        let (_folder, tree) = fake::tree(&[]);
        let machine = Machine::observe_in(&tree, vec![0]);
        assert_eq!(machine.kernel, None);
        assert_eq!(machine.cpu_model, None);
        assert_eq!(machine.virtual_machine, None);
        assert_eq!(machine.quota_cpus, None);
        assert_eq!(machine.online_cpus, None);
    }

    #[test]
    fn files_full_of_rubbish_are_unknown_too() {
        let (_folder, tree) = fake::tree(&[
            ("/proc/cpuinfo", "\u{fffd}::::\n\n"),
            ("/proc/self/cgroup", "::\n0\n"),
            ("/proc/self/mounts", "x\n"),
            ("/sys/devices/system/cpu/online", "many"),
            ("/sys/devices/system/node/online", "0-"),
            ("/sys/devices/system/cpu/cpu0/topology/core_id", "?"),
        ]);
        let machine = Machine::observe_in(&tree, vec![0]);
        assert_eq!(machine.online_cpus, None);
        assert_eq!(machine.topology.cores, None);
        assert_eq!(machine.cgroup_version, None);
    }
}

//! The properties of the machine, from `/proc` and `/sys`.

use super::cgroup::Cgroup;
use super::cpu_list::parse_kernel_list;
use super::tree::Tree;
use super::{identity, topology};
use crate::platform::Machine;

/// Reads the properties, and changes nothing.
pub fn observe(usable_cpus: Vec<usize>) -> Machine {
    observe_in(&Tree::system(), usable_cpus)
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
        topology: topology::topology(tree, &usable_cpus),
        usable_cpus,
        virtual_machine: identity::virtual_machine(tree),
        container: identity::container(tree, cgroup.path.as_deref()),
        cgroup_version: cgroup.version,
        cgroup: cgroup.path,
        quota_cpus: cgroup.quota_cpus,
        governor,
        clocksource: tree.text("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
        stand_in: super::stand_in::stand_in(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree::fake;
    use super::*;

    #[test]
    fn without_proc_and_sys_everything_is_unknown() {
        let (_folder, tree) = fake::tree(&[]);
        let machine = observe_in(&tree, vec![0]);
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
        let machine = observe_in(&tree, vec![0]);
        assert_eq!(machine.online_cpus, None);
        assert_eq!(machine.topology.cores, None);
        assert_eq!(machine.cgroup_version, None);
    }
}

//! Packages, cores, SMT siblings, caches and memory nodes.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// The usable CPUs and their arrangement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Topology {
    /// Every usable CPU, in ascending order.
    pub cpus: Vec<CpuPlace>,
    /// Sockets among the usable CPUs.
    pub packages: Option<usize>,
    /// Physical cores among the usable CPUs.
    pub cores: Option<usize>,
    /// Most hardware threads that share one core, usable or not: 1 without SMT.
    pub threads_per_core: Option<usize>,
    /// Memory nodes that are online.
    pub numa_nodes: Option<usize>,
    /// Caches of the first usable CPU.
    pub caches: Caches,
}

/// The place of one CPU.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct CpuPlace {
    /// The kernel's number for the CPU.
    pub cpu: usize,
    /// The socket.
    pub package: Option<i64>,
    /// The core within the socket.
    pub core: Option<i64>,
    /// CPUs of the same core, including this one.
    pub siblings: Vec<usize>,
    /// The memory node.
    pub numa_node: Option<usize>,
}

/// Cache sizes in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Caches {
    /// Coherency line: the unit that moves between CPUs.
    pub line_bytes: Option<u64>,
    /// First level, data.
    pub l1d_bytes: Option<u64>,
    /// Second level.
    pub l2_bytes: Option<u64>,
    /// Third level.
    pub l3_bytes: Option<u64>,
}

impl Topology {
    /// Counts packages, cores and siblings of `cpus`.
    pub(crate) fn of(cpus: Vec<CpuPlace>, numa_nodes: Option<usize>, caches: Caches) -> Topology {
        Topology {
            packages: count_distinct(&cpus, |place| place.package),
            cores: count_distinct(&cpus, |place| Some((place.package?, place.core?))),
            threads_per_core: cpus
                .iter()
                .map(|place| place.siblings.len())
                .max()
                .filter(|most| *most > 0),
            numa_nodes,
            caches,
            cpus,
        }
    }
}

fn count_distinct<K: Ord>(
    cpus: &[CpuPlace],
    key: impl Fn(&CpuPlace) -> Option<K>,
) -> Option<usize> {
    let keys: Option<BTreeSet<K>> = cpus.iter().map(key).collect();
    keys.map(|keys| keys.len()).filter(|count| *count > 0)
}

/// Made-up topologies for tests.
#[cfg(test)]
pub(crate) mod fake {
    use super::{Caches, CpuPlace, Topology};

    /// Builds two sockets of two cores of two threads, numbered as by most firmware: cores first, then their siblings.
    pub(crate) fn two_sockets() -> Topology {
        let place = |cpu: usize| CpuPlace {
            cpu,
            package: Some(cpu as i64 % 4 / 2),
            core: Some(cpu as i64 % 2),
            siblings: vec![cpu % 4, cpu % 4 + 4],
            numa_node: Some(cpu % 4 / 2),
        };
        Topology::of((0..8).map(place).collect(), Some(2), Caches::default())
    }
}

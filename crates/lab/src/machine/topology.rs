//! Packages, cores, SMT siblings, caches and memory nodes, from `/sys/devices/system`.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::cpu_list::parse_kernel_list;
use super::tree::Tree;

/// The usable CPUs and how they hang together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Topology {
    /// Every usable CPU, in rising order.
    pub cpus: Vec<CpuPlace>,
    /// Sockets among the usable CPUs.
    pub packages: Option<usize>,
    /// Physical cores among the usable CPUs.
    pub cores: Option<usize>,
    /// Most hardware threads that share one core, whether usable or not: 1 without SMT.
    pub threads_per_core: Option<usize>,
    /// Memory nodes that are online.
    pub numa_nodes: Option<usize>,
    /// Caches of the first usable CPU.
    pub caches: Caches,
}

/// Where one CPU sits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CpuPlace {
    /// The kernel's number of the CPU.
    pub cpu: usize,
    /// The socket.
    pub package: Option<i64>,
    /// The core within the socket.
    pub core: Option<i64>,
    /// CPUs of the same core, itself included.
    pub siblings: Vec<usize>,
    /// The memory node.
    pub numa_node: Option<usize>,
}

/// Cache sizes in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
    pub(super) fn read(tree: &Tree, usable: &[usize]) -> Topology {
        let nodes = numa_nodes(tree);
        let cpus: Vec<CpuPlace> = usable
            .iter()
            .map(|cpu| CpuPlace::read(tree, *cpu, &nodes))
            .collect();
        Topology {
            packages: count_distinct(&cpus, |place| place.package),
            cores: count_distinct(&cpus, |place| Some((place.package?, place.core?))),
            threads_per_core: cpus
                .iter()
                .map(|place| place.siblings.len())
                .max()
                .filter(|most| *most > 0),
            numa_nodes: (!nodes.is_empty()).then_some(nodes.len()),
            caches: usable
                .first()
                .map(|cpu| Caches::read(tree, *cpu))
                .unwrap_or_default(),
            cpus,
        }
    }
}

impl CpuPlace {
    fn read(tree: &Tree, cpu: usize, nodes: &[(usize, Vec<usize>)]) -> CpuPlace {
        let folder = format!("/sys/devices/system/cpu/cpu{cpu}/topology");
        let siblings = tree
            .text(&format!("{folder}/thread_siblings_list"))
            .and_then(|text| parse_kernel_list(&text));
        CpuPlace {
            cpu,
            package: tree.value(&format!("{folder}/physical_package_id")),
            core: tree.value(&format!("{folder}/core_id")),
            siblings: siblings.unwrap_or_default(),
            numa_node: nodes
                .iter()
                .find(|(_, cpus)| cpus.contains(&cpu))
                .map(|(node, _)| *node),
        }
    }
}

impl Caches {
    fn read(tree: &Tree, cpu: usize) -> Caches {
        let folder = format!("/sys/devices/system/cpu/cpu{cpu}/cache");
        let mut caches = Caches::default();
        for index in tree.names(&folder) {
            if !index.starts_with("index") {
                continue;
            }
            let file = |name: &str| format!("{folder}/{index}/{name}");
            let size = tree.text(&file("size")).and_then(|text| bytes(&text));
            let kind = tree.text(&file("type")).unwrap_or_default();
            match (tree.value(&file("level")), kind.as_str()) {
                (Some(1), "Data" | "Unified") => caches.l1d_bytes = size,
                (Some(2), "Data" | "Unified") => caches.l2_bytes = size,
                (Some(3), "Data" | "Unified") => caches.l3_bytes = size,
                _ => {}
            }
            let line = tree.value(&file("coherency_line_size"));
            caches.line_bytes = caches.line_bytes.max(line);
        }
        caches
    }
}

/// `48K`, `32M` or plain bytes.
fn bytes(text: &str) -> Option<u64> {
    let (number, unit) = match text.strip_suffix(['K', 'M', 'G']) {
        Some(number) if text.ends_with('K') => (number, 1 << 10),
        Some(number) if text.ends_with('M') => (number, 1 << 20),
        Some(number) => (number, 1 << 30),
        None => (text, 1),
    };
    number.parse::<u64>().ok()?.checked_mul(unit)
}

fn numa_nodes(tree: &Tree) -> Vec<(usize, Vec<usize>)> {
    let folder = "/sys/devices/system/node";
    let online = tree
        .text(&format!("{folder}/online"))
        .and_then(|text| parse_kernel_list(&text));
    online
        .unwrap_or_default()
        .into_iter()
        .map(|node| {
            // A node of memory without processors has an empty list.
            let cpus = tree
                .text(&format!("{folder}/node{node}/cpulist"))
                .and_then(|text| parse_kernel_list(&text));
            (node, cpus.unwrap_or_default())
        })
        .collect()
}

fn count_distinct<K: Ord>(
    cpus: &[CpuPlace],
    key: impl Fn(&CpuPlace) -> Option<K>,
) -> Option<usize> {
    let keys: Option<BTreeSet<K>> = cpus.iter().map(key).collect();
    keys.map(|keys| keys.len()).filter(|count| *count > 0)
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::tree::fake;
    use super::*;

    /// Two sockets of two cores of two threads, numbered as most firmware does: cores first, then
    /// their siblings.
    pub(in super::super) fn two_sockets() -> Topology {
        let mut files = Vec::new();
        for cpu in 0..8 {
            let (package, core) = (cpu % 4 / 2, cpu % 2);
            let folder = format!("/sys/devices/system/cpu/cpu{cpu}");
            files.push((
                format!("{folder}/topology/physical_package_id"),
                package.to_string(),
            ));
            files.push((format!("{folder}/topology/core_id"), core.to_string()));
            let siblings = format!("{},{}", cpu % 4, cpu % 4 + 4);
            files.push((format!("{folder}/topology/thread_siblings_list"), siblings));
        }
        for (index, level, kind, size) in [
            (0, 1, "Data", "48K"),
            (1, 1, "Instruction", "32K"),
            (2, 2, "Unified", "1M"),
            (3, 3, "Unified", "32768K"),
        ] {
            let folder = format!("/sys/devices/system/cpu/cpu0/cache/index{index}");
            files.push((format!("{folder}/level"), level.to_string()));
            files.push((format!("{folder}/type"), kind.to_string()));
            files.push((format!("{folder}/size"), size.to_string()));
            files.push((format!("{folder}/coherency_line_size"), "64".into()));
        }
        files.push(("/sys/devices/system/node/online".into(), "0-1".into()));
        files.push((
            "/sys/devices/system/node/node0/cpulist".into(),
            "0-1,4-5".into(),
        ));
        files.push((
            "/sys/devices/system/node/node1/cpulist".into(),
            "2-3,6-7".into(),
        ));
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(a, b)| (a.as_str(), b.as_str()))
            .collect();
        let (_folder, tree) = fake::tree(&files);
        Topology::read(&tree, &(0..8).collect::<Vec<_>>())
    }

    #[test]
    fn counts_sockets_cores_and_nodes() {
        let topology = two_sockets();
        assert_eq!(topology.packages, Some(2));
        assert_eq!(topology.cores, Some(4));
        assert_eq!(topology.threads_per_core, Some(2));
        assert_eq!(topology.numa_nodes, Some(2));
        assert_eq!(topology.cpus[6].numa_node, Some(1));
        assert_eq!(topology.cpus[6].siblings, [2, 6]);
    }

    #[test]
    fn reads_cache_sizes() {
        let caches = two_sockets().caches;
        assert_eq!(caches.line_bytes, Some(64));
        assert_eq!(caches.l1d_bytes, Some(48 << 10));
        assert_eq!(caches.l2_bytes, Some(1 << 20));
        assert_eq!(caches.l3_bytes, Some(32 << 20));
    }

    #[test]
    fn an_empty_tree_knows_only_the_cpus() {
        let (_folder, tree) = fake::tree(&[]);
        let topology = Topology::read(&tree, &[0, 3]);
        assert_eq!(topology.cpus.len(), 2);
        assert_eq!(
            (topology.packages, topology.cores, topology.numa_nodes),
            (None, None, None)
        );
        assert_eq!(topology.threads_per_core, None);
        assert_eq!(topology.caches, Caches::default());
    }

    #[test]
    fn sizes_with_units() {
        assert_eq!(bytes("48K"), Some(49_152));
        assert_eq!(bytes("1G"), Some(1 << 30));
        assert_eq!(bytes("512"), Some(512));
        assert_eq!(bytes("K"), None);
        assert_eq!(bytes("99999999999999999999G"), None);
    }
}

//! Packages, cores, SMT siblings, caches and memory nodes, from `/sys/devices/system`.

use super::cpu_list::parse_kernel_list;
use super::tree::Tree;
use crate::platform::{Caches, CpuPlace, Topology};

/// Returns the usable CPUs and their arrangement.
pub(super) fn topology(tree: &Tree, usable: &[usize]) -> Topology {
    let nodes = numa_nodes(tree);
    Topology::of(
        usable.iter().map(|cpu| place(tree, *cpu, &nodes)).collect(),
        (!nodes.is_empty()).then_some(nodes.len()),
        usable
            .first()
            .map(|cpu| caches(tree, *cpu))
            .unwrap_or_default(),
    )
}

fn place(tree: &Tree, cpu: usize, nodes: &[(usize, Vec<usize>)]) -> CpuPlace {
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

fn caches(tree: &Tree, cpu: usize) -> Caches {
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

/// Reads `48K`, `32M` or plain bytes.
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
            // A memory node without processors has an empty list.
            let cpus = tree
                .text(&format!("{folder}/node{node}/cpulist"))
                .and_then(|text| parse_kernel_list(&text));
            (node, cpus.unwrap_or_default())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::tree::fake;
    use super::*;

    /// Builds two sockets of two cores of two threads, numbered as by most firmware: cores first, then their siblings.
    fn two_sockets() -> Topology {
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
        topology(&tree, &(0..8).collect::<Vec<_>>())
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
        let topology = topology(&tree, &[0, 3]);
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

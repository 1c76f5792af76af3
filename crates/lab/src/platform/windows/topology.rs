//! Packages, cores, SMT siblings, caches and memory nodes.

use super::logical_processors::{Cache, LogicalProcessors};
use crate::machine::{Caches, CpuPlace, Topology};

/// The usable CPUs and how they hang together.
pub(super) fn topology(all: &LogicalProcessors, usable: &[usize]) -> Topology {
    let places = usable.iter().map(|cpu| place(all, *cpu)).collect();
    let nodes = (!all.nodes.is_empty()).then_some(all.nodes.len());
    let caches = usable.first().map(|cpu| caches(&all.caches, *cpu));
    Topology::of(places, nodes, caches.unwrap_or_default())
}

/// Cores and packages have no numbers of their own: their place in Windows' list is the number.
fn place(all: &LogicalProcessors, cpu: usize) -> CpuPlace {
    let within = |sets: &[Vec<usize>]| sets.iter().position(|cpus| cpus.contains(&cpu));
    let core = within(&all.cores);
    CpuPlace {
        cpu,
        package: within(&all.packages).map(|index| index as i64),
        core: core.map(|index| index as i64),
        siblings: core
            .map(|index| all.cores[index].clone())
            .unwrap_or_default(),
        numa_node: all
            .nodes
            .iter()
            .find(|(_, cpus)| cpus.contains(&cpu))
            .map(|(node, _)| *node),
    }
}

fn caches(all: &[Cache], cpu: usize) -> Caches {
    let of_level = |level: u8| {
        all.iter()
            .find(|cache| cache.level == level && cache.cpus.contains(&cpu))
            .map(|cache| cache.bytes)
    };
    Caches {
        line_bytes: all
            .iter()
            .filter(|cache| cache.cpus.contains(&cpu))
            .map(|cache| cache.line_bytes)
            .max(),
        l1d_bytes: of_level(1),
        l2_bytes: of_level(2),
        l3_bytes: of_level(3),
    }
}

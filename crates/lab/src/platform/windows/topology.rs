//! Packages, cores, SMT siblings, caches and memory nodes.

use super::logical_processors::{Cache, LogicalProcessors};
use crate::platform::{Caches, CpuPlace, Topology};

/// Returns the usable CPUs and their arrangement.
pub(super) fn topology(all: &LogicalProcessors, usable: &[usize]) -> Topology {
    let places = usable.iter().map(|cpu| place(all, *cpu)).collect();
    let nodes = (!all.nodes.is_empty()).then_some(all.nodes.len());
    let caches = usable.first().map(|cpu| caches(&all.caches, *cpu));
    Topology::of(places, nodes, caches.unwrap_or_default())
}

/// Returns a CPU's place. Cores and packages have no numbers in Windows: their index in Windows' list serves as the number.
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

#[cfg(test)]
mod tests {
    use windows_sys::Win32::System::SystemInformation::{
        CacheData, CacheUnified, RelationProcessorCore, RelationProcessorPackage,
    };

    use super::super::logical_processors::made_up::Records;
    use super::*;

    #[test]
    fn cores_packages_nodes_and_caches_of_the_usable_cpus() {
        let all = Records::default()
            .processor(RelationProcessorCore, 0, 0b0011)
            .processor(RelationProcessorCore, 0, 0b1100)
            .processor(RelationProcessorPackage, 0, 0b1111)
            .node(0, 0, 0b1111)
            .cache(1, CacheData, 48, 0b0011)
            .cache(2, CacheUnified, 1024, 0b0011)
            .cache(3, CacheUnified, 32768, 0b1111)
            .cache(1, CacheData, 32, 0b1100)
            .parse();
        let seen = topology(&all, &[1, 2, 3]);
        assert_eq!((seen.packages, seen.cores), (Some(1), Some(2)));
        assert_eq!((seen.threads_per_core, seen.numa_nodes), (Some(2), Some(1)));
        assert_eq!(seen.cpus[0].siblings, [0, 1]);
        assert_eq!(seen.cpus[2].core, Some(1));
        assert_eq!(seen.caches.l1d_bytes, Some(48 << 10));
        assert_eq!(seen.caches.l2_bytes, Some(1 << 20));
        assert_eq!(seen.caches.l3_bytes, Some(32 << 20));
        assert_eq!(seen.caches.line_bytes, Some(64));
    }

    #[test]
    fn what_windows_does_not_tell_is_unknown() {
        let seen = topology(&LogicalProcessors::default(), &[0]);
        assert_eq!(
            (seen.packages, seen.cores, seen.numa_nodes),
            (None, None, None)
        );
        assert_eq!(seen.caches, Caches::default());
    }
}

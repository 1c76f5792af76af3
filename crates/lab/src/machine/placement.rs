//! Which CPU each thread of an experiment runs on.

use std::collections::HashMap;

use super::{CpuListError, CpuPlace, Topology, parse_cpu_list};

/// The placement of threads, as given to `--pin`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Pin {
    /// Wherever the scheduler puts them.
    #[default]
    None,
    /// As close as possible: the siblings of one core, then the cores of one package.
    Compact,
    /// As far apart as possible: packages in turn, one core each, siblings last.
    Spread,
    /// Thread `i` on the `i`-th CPU of the list, starting over at its end.
    List(Vec<usize>),
}

impl Pin {
    /// Reads `none`, `compact`, `spread` or a list of CPUs such as `0,2-3`.
    ///
    /// # Errors
    /// Any other text, and a CPU that is not among `usable`.
    pub fn parse(text: &str, usable: &[usize]) -> Result<Pin, CpuListError> {
        match text {
            "none" => Ok(Pin::None),
            "compact" => Ok(Pin::Compact),
            "spread" => Ok(Pin::Spread),
            list => parse_cpu_list(list, usable).map(Pin::List),
        }
    }
}

impl std::fmt::Display for Pin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Pin::None => f.write_str("none"),
            Pin::Compact => f.write_str("compact"),
            Pin::Spread => f.write_str("spread"),
            Pin::List(cpus) => f.write_str(&super::format_cpu_list(cpus)),
        }
    }
}

/// The order in which CPUs are assigned to threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    order: Vec<usize>,
}

impl Placement {
    /// Determines the order on this topology.
    pub fn new(pin: &Pin, topology: &Topology) -> Placement {
        let order = match pin {
            Pin::None => Vec::new(),
            Pin::Compact => compact(topology),
            Pin::Spread => spread(topology),
            Pin::List(cpus) => cpus.clone(),
        };
        Placement { order }
    }

    /// Returns the CPU for thread `thread`, counted from 0; with more threads than CPUs, it starts over. `None`: wherever the
    /// scheduler puts it.
    pub fn cpu_for(&self, thread: usize) -> Option<usize> {
        match self.order.len() {
            0 => None,
            cpus => Some(self.order[thread % cpus]),
        }
    }
}

/// Returns package, core within it, and CPU. If the kernel does not report them, CPUs count as cores of one package.
fn place(cpu: &CpuPlace) -> (i64, i64, usize) {
    let core = cpu.core.unwrap_or(cpu.cpu as i64);
    (cpu.package.unwrap_or(0), core, cpu.cpu)
}

fn compact(topology: &Topology) -> Vec<usize> {
    let mut places: Vec<_> = topology.cpus.iter().map(place).collect();
    places.sort_unstable();
    places.into_iter().map(|(_, _, cpu)| cpu).collect()
}

fn spread(topology: &Topology) -> Vec<usize> {
    let mut places: Vec<_> = topology.cpus.iter().map(place).collect();
    places.sort_unstable();
    // In compact order, number the siblings of each core and the cores of each package.
    let mut siblings_seen: HashMap<(i64, i64), usize> = HashMap::new();
    let mut cores_seen: HashMap<i64, Vec<i64>> = HashMap::new();
    let mut keyed: Vec<_> = places
        .into_iter()
        .map(|(package, core, cpu)| {
            let siblings = siblings_seen.entry((package, core)).or_default();
            let sibling_rank = *siblings;
            *siblings += 1;
            let cores = cores_seen.entry(package).or_default();
            if cores.last() != Some(&core) {
                cores.push(core);
            }
            (sibling_rank, cores.len(), package, cpu)
        })
        .collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, _, _, cpu)| cpu).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::fake::two_sockets;

    fn order(pin: Pin) -> Vec<usize> {
        let placement = Placement::new(&pin, &two_sockets());
        (0..8)
            .map(|thread| placement.cpu_for(thread).unwrap())
            .collect()
    }

    #[test]
    fn compact_fills_a_core_then_a_package() {
        assert_eq!(order(Pin::Compact), [0, 4, 1, 5, 2, 6, 3, 7]);
    }

    #[test]
    fn spread_takes_packages_then_cores_then_siblings() {
        assert_eq!(order(Pin::Spread), [0, 2, 1, 3, 4, 6, 5, 7]);
    }

    #[test]
    fn a_list_is_followed_and_repeated() {
        assert_eq!(order(Pin::List(vec![3, 1, 1])), [3, 1, 1, 3, 1, 1, 3, 1]);
    }

    #[test]
    fn none_leaves_it_to_the_scheduler() {
        let placement = Placement::new(&Pin::None, &two_sockets());
        assert_eq!(placement.cpu_for(0), None);
    }

    #[test]
    fn reads_what_it_writes() {
        for text in ["none", "compact", "spread", "0,2-3"] {
            let pin = Pin::parse(text, &[0, 1, 2, 3]).unwrap();
            assert_eq!(pin.to_string(), text);
        }
        assert!(Pin::parse("close", &[0]).is_err());
        assert!(Pin::parse("4", &[0, 1]).is_err());
    }
}

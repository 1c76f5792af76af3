//! The cycles among rows, and among the locks of one row.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::Hash;

use super::graph::Graph;
use super::judge::Judge;
use super::steps::{Node, Step};
use super::threads::Alike;

/// The number of cycles that are reported for one process.
const MOST_REPORTED: usize = 100;

/// Returns the cycles that can end in a deadlock, each as its steps: the shortest first, and none that goes through all locks of
/// another.
pub fn inversions<'s>(steps: &'s [Step], alike: &Alike) -> Vec<Vec<&'s Step>> {
    let waiting = || steps.iter().filter(|step| step.key.waits);
    let between_rows = waiting().filter(|step| step.key.held != step.key.acquired);
    let mut found = among(
        between_rows.map(|it| ((it.key.held, it.key.acquired), it)),
        alike,
    );
    let mut of_row: BTreeMap<Node, Vec<_>> = BTreeMap::new();
    for step in waiting() {
        if let Some((held, acquired)) = step.key.locks {
            let arc = (held, acquired);
            of_row.entry(step.key.held).or_default().push((arc, step));
        }
    }
    for arcs in of_row.into_values() {
        // The locks of a row are alike, so one cycle shows as much as all of them.
        found.extend(among(arcs.into_iter(), alike).into_iter().take(1));
    }
    found
}

/// Does the same for a graph of any nodes.
fn among<'s, N: Copy + Ord + Hash>(
    arcs: impl Iterator<Item = ((N, N), &'s Step)>,
    alike: &Alike,
) -> Vec<Vec<&'s Step>> {
    let mut steps: BTreeMap<(N, N), Vec<&Step>> = BTreeMap::new();
    for (arc, step) in arcs {
        steps.entry(arc).or_default().push(step);
    }
    let mut reported: Vec<BTreeSet<N>> = Vec::new();
    let mut found = Vec::new();
    let mut seen: HashSet<Vec<N>> = HashSet::new();
    for cycle in Graph::new(steps.keys().copied()).cycles() {
        if found.len() == MOST_REPORTED {
            break;
        }
        let nodes: BTreeSet<N> = cycle.iter().copied().collect();
        let is_known = reported.iter().any(|it| it.is_subset(&nodes));
        if is_known || !seen.insert(cycle.clone()) {
            continue;
        }
        let ends = cycle.iter().cycle().skip(1);
        let arcs = cycle.iter().zip(ends);
        let arcs = arcs.map(|(&from, &end)| steps.get(&(from, end)).cloned().unwrap_or_default());
        let judge = Judge {
            arcs: arcs.collect(),
            alike,
        };
        if let Some(steps) = judge.realisable() {
            reported.push(nodes);
            found.push(steps);
        }
    }
    found
}

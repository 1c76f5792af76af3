//! Cycles of a graph.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::Hash;

/// The number of cycles that are examined.
const MOST_CYCLES: usize = 10_000;
/// In parts of the graph with up to this many nodes, all cycles of up to [`LONGEST`] arcs are examined. In larger ones, only a
/// shortest cycle through each arc is.
const SMALL: usize = 16;
const LONGEST: usize = 6;

/// The arcs of a graph, by their beginning.
pub struct Graph<N> {
    to: BTreeMap<N, BTreeSet<N>>,
}

impl<N: Copy + Ord + Hash> Graph<N> {
    /// Makes a graph of arcs.
    pub fn new(arcs: impl IntoIterator<Item = (N, N)>) -> Self {
        let mut to: BTreeMap<N, BTreeSet<N>> = BTreeMap::new();
        for (from, end) in arcs {
            to.entry(from).or_default().insert(end);
            to.entry(end).or_default();
        }
        Self { to }
    }

    /// Returns cycles, the shortest first, each as its nodes from the smallest one on.
    pub fn cycles(&self) -> Vec<Vec<N>> {
        let mut found: BTreeSet<Vec<N>> = BTreeSet::new();
        for part in self.parts() {
            for &from in &part {
                for &end in self.to[&from].intersection(&part) {
                    if found.len() < MOST_CYCLES
                        && let Some(way) = self.shortest(end, from, &part)
                    {
                        found.insert(from_smallest(way));
                    }
                }
            }
            if part.len() <= SMALL {
                for &first in &part {
                    self.walk(&mut vec![first], &part, &mut found);
                }
            }
        }
        let mut cycles: Vec<Vec<N>> = found.into_iter().collect();
        cycles.sort_by_key(|it| it.len());
        cycles
    }

    /// Returns the strongly connected parts with more than one node (Kosaraju's algorithm, without recursion).
    fn parts(&self) -> Vec<BTreeSet<N>> {
        let mut seen = BTreeSet::new();
        let mut finished = Vec::new();
        for &root in self.to.keys() {
            let mut stack = vec![(root, false)];
            while let Some((node, is_done)) = stack.pop() {
                if is_done {
                    finished.push(node);
                } else if seen.insert(node) {
                    stack.push((node, true));
                    stack.extend(self.to[&node].iter().map(|&it| (it, false)));
                }
            }
        }
        let mut back: BTreeMap<N, Vec<N>> = BTreeMap::new();
        for (&from, ends) in &self.to {
            for &end in ends {
                back.entry(end).or_default().push(from);
            }
        }
        let mut parts = Vec::new();
        let mut taken = BTreeSet::new();
        for &root in finished.iter().rev() {
            let mut part = BTreeSet::new();
            let mut stack = vec![root];
            while let Some(node) = stack.pop() {
                if taken.insert(node) {
                    part.insert(node);
                    stack.extend(back.get(&node).into_iter().flatten());
                }
            }
            if part.len() > 1 {
                parts.push(part);
            }
        }
        parts
    }

    /// Returns the nodes of a shortest way within a part.
    fn shortest(&self, from: N, end: N, part: &BTreeSet<N>) -> Option<Vec<N>> {
        let mut before: BTreeMap<N, N> = BTreeMap::new();
        let mut next = VecDeque::from([from]);
        while let Some(node) = next.pop_front() {
            if node == end {
                let mut way = vec![end];
                while let Some(&node) = before
                    .get(way.last()?)
                    .filter(|_| way.last() != Some(&from))
                {
                    way.push(node);
                }
                way.reverse();
                return Some(way);
            }
            for &it in self.to[&node].intersection(part) {
                if it != from && !before.contains_key(&it) {
                    before.insert(it, node);
                    next.push_back(it);
                }
            }
        }
        None
    }

    /// Adds all cycles that begin with `way`, whose first node is their smallest.
    fn walk(&self, way: &mut Vec<N>, part: &BTreeSet<N>, found: &mut BTreeSet<Vec<N>>) {
        let (first, last) = (way[0], way[way.len() - 1]);
        for &it in self.to[&last].intersection(part) {
            if found.len() >= MOST_CYCLES {
                return;
            }
            if it == first && way.len() > 1 {
                found.insert(way.clone());
            } else if it > first && way.len() < LONGEST && !way.contains(&it) {
                way.push(it);
                self.walk(way, part, found);
                way.pop();
            }
        }
    }
}

/// Returns the cycle from its smallest node on.
fn from_smallest<N: Copy + Ord>(mut cycle: Vec<N>) -> Vec<N> {
    let smallest = (0..cycle.len()).min_by_key(|&place| cycle[place]);
    cycle.rotate_left(smallest.unwrap_or(0));
    cycle
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycles(arcs: &[(u32, u32)]) -> Vec<Vec<u32>> {
        Graph::new(arcs.iter().copied()).cycles()
    }

    #[test]
    fn an_order_without_a_way_back_has_no_cycle() {
        assert_eq!(cycles(&[(1, 2), (2, 3), (1, 3), (4, 3)]), [[0; 0]; 0]);
        assert_eq!(cycles(&[]), [[0; 0]; 0]);
    }

    #[test]
    fn every_cycle_of_a_small_part_is_found_once_and_the_shortest_comes_first() {
        let found = cycles(&[(2, 1), (1, 2), (2, 3), (3, 1), (1, 4), (5, 4)]);
        assert_eq!(found, [vec![1, 2], vec![1, 2, 3]]);
        // Two parts without a way between them.
        assert_eq!(cycles(&[(1, 2), (2, 1), (8, 9), (9, 8)]), [[1, 2], [8, 9]]);
    }

    #[test]
    fn a_long_ring_is_found_as_a_whole() {
        let ring: Vec<(u32, u32)> = (0..500).map(|it| (it, (it + 1) % 500)).collect();
        let found = cycles(&ring);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0], (0..500).collect::<Vec<u32>>());
    }

    #[test]
    fn a_large_part_does_not_take_for_ever() {
        let arcs: Vec<(u32, u32)> = (0..100)
            .flat_map(|a| (0..100).map(move |b| (a, b)))
            .collect();
        let arcs: Vec<(u32, u32)> = arcs.into_iter().filter(|(a, b)| a != b).collect();
        let found = cycles(&arcs);
        assert_eq!(found.len(), 100 * 99 / 2, "each pair of nodes");
    }
}

//! Which thread waits for which: cycles, and chains with their ends. Knows no process.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use locktoll_results::hang::{Chain, Deadlock, Edge};

/// Returns the deadlocks: cycles of confirmed waits without a deadline. Each begins with its smallest thread id.
///
/// A thread may wait for several others, such as the readers of a lock, and needs all of them. So each cycle by itself keeps its
/// threads where they are. Of the cycles through one wait, the shortest is shown.
pub fn deadlocks(edges: &[Edge]) -> Vec<Deadlock> {
    let certain = edges.iter().filter(|it| it.confirmed && !it.has_deadline);
    let mut next: BTreeMap<u32, Vec<&Edge>> = BTreeMap::new();
    for edge in certain {
        next.entry(edge.from_tid).or_default().push(edge);
    }
    let mut found: BTreeMap<Vec<u32>, Deadlock> = BTreeMap::new();
    let mut done: BTreeSet<u32> = BTreeSet::new();
    for &from in next.keys() {
        if done.contains(&from) {
            continue;
        }
        if let Some(circle) = shortest_circle(from, &next) {
            done.extend(circle.iter().map(|it| it.from_tid));
            let circle = begun_at_the_smallest(circle);
            let threads: Vec<u32> = circle.iter().map(|it| it.from_tid).collect();
            let locks = circle.iter().filter_map(|it| it.lock.clone()).collect();
            found
                .entry(threads.clone())
                .or_insert(Deadlock { threads, locks });
        }
    }
    found.into_values().collect()
}

/// Returns the shortest way from a thread back to itself.
fn shortest_circle<'e>(from: u32, next: &BTreeMap<u32, Vec<&'e Edge>>) -> Option<Vec<&'e Edge>> {
    let mut came_by: BTreeMap<u32, &Edge> = BTreeMap::new();
    let mut layer = vec![from];
    while !layer.is_empty() {
        let mut following = Vec::new();
        for at in layer {
            for &edge in next.get(&at).into_iter().flatten() {
                if edge.to_tid == from {
                    return Some(way_back(edge, from, &came_by));
                }
                if let Entry::Vacant(unseen) = came_by.entry(edge.to_tid) {
                    unseen.insert(edge);
                    following.push(edge.to_tid);
                }
            }
        }
        layer = following;
    }
    None
}

fn way_back<'e>(last: &'e Edge, from: u32, came_by: &BTreeMap<u32, &'e Edge>) -> Vec<&'e Edge> {
    let mut way = vec![last];
    let mut at = last.from_tid;
    while at != from {
        let Some(&edge) = came_by.get(&at) else { break };
        way.push(edge);
        at = edge.from_tid;
    }
    way.reverse();
    way
}

fn begun_at_the_smallest(mut circle: Vec<&Edge>) -> Vec<&Edge> {
    let smallest = (0..circle.len()).min_by_key(|&at| circle[at].from_tid);
    circle.rotate_left(smallest.unwrap_or(0));
    circle
}

/// Returns the threads for which others wait and which do not wait for any thread themselves, the ones with the most waiting
/// threads first.
pub fn chains(edges: &[Edge]) -> Vec<Chain> {
    let waits: BTreeSet<u32> = edges.iter().map(|it| it.from_tid).collect();
    let mut to: BTreeMap<u32, Vec<&Edge>> = BTreeMap::new();
    for edge in edges {
        to.entry(edge.to_tid).or_default().push(edge);
    }
    let roots = to.keys().filter(|tid| !waits.contains(tid));
    let mut chains: Vec<Chain> = roots
        .map(|&root_tid| {
            let mut behind: BTreeSet<u32> = BTreeSet::new();
            let mut open = vec![root_tid];
            while let Some(at) = open.pop() {
                for edge in to.get(&at).into_iter().flatten() {
                    if behind.insert(edge.from_tid) {
                        open.push(edge.from_tid);
                    }
                }
            }
            let mut locks: BTreeMap<&String, usize> = BTreeMap::new();
            for edge in to.get(&root_tid).into_iter().flatten() {
                if let Some(lock) = &edge.lock {
                    *locks.entry(lock).or_default() += 1;
                }
            }
            let mut locks: Vec<(&String, usize)> = locks.into_iter().collect();
            locks.sort_by_key(|&(_, waiting)| std::cmp::Reverse(waiting));
            Chain {
                root_tid,
                waiting: behind.len() as u64,
                locks: locks.into_iter().map(|(lock, _)| lock.clone()).collect(),
            }
        })
        .collect();
    chains.sort_by_key(|it| (std::cmp::Reverse(it.waiting), it.root_tid));
    chains
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(from_tid: u32, lock: &str, to_tid: u32) -> Edge {
        Edge {
            from_tid,
            lock: (!lock.is_empty()).then(|| lock.to_owned()),
            to_tid,
            confirmed: true,
            has_deadline: false,
        }
    }

    #[test]
    fn two_threads_and_two_locks_are_a_circle() {
        let edges = [edge(7, "x", 3), edge(3, "y", 7), edge(9, "x", 3)];
        let [only] = &deadlocks(&edges)[..] else {
            panic!("one");
        };
        assert_eq!(only.threads, [3, 7]);
        assert_eq!(only.locks, ["y", "x"]);
        assert_eq!(chains(&edges), [], "no end of the chain");
    }

    #[test]
    fn a_circle_may_have_one_thread_or_an_end_of_a_thread_in_it() {
        assert_eq!(deadlocks(&[edge(3, "x", 3)])[0].threads, [3]);
        let joins = [edge(1, "", 2), edge(2, "x", 1)];
        let [only] = &deadlocks(&joins)[..] else {
            panic!("one");
        };
        assert_eq!(
            (&only.threads[..], &only.locks[..]),
            (&[1, 2][..], &["x".to_owned()][..])
        );
    }

    #[test]
    fn what_ends_by_itself_or_was_not_seen_twice_is_no_deadlock() {
        let circle = || [edge(1, "x", 2), edge(2, "y", 1)];
        let mut timed = circle();
        timed[0].has_deadline = true;
        let mut unsure = circle();
        unsure[1].confirmed = false;
        assert_eq!(
            (deadlocks(&timed), deadlocks(&unsure)),
            (Vec::new(), Vec::new())
        );
        assert_eq!(deadlocks(&circle()).len(), 1);
    }

    #[test]
    fn of_sixty_four_threads_each_waits_for_the_next() {
        let edges: Vec<Edge> = (0..64).map(|at| edge(at, "l", (at + 1) % 64)).collect();
        let found = deadlocks(&edges);
        assert_eq!((found.len(), found[0].threads.len()), (1, 64));
    }

    #[test]
    fn one_of_several_readers_closes_the_circle() {
        let edges = [edge(1, "r", 2), edge(1, "r", 3), edge(3, "m", 1)];
        assert_eq!(deadlocks(&edges)[0].threads, [1, 3]);
    }

    #[test]
    fn chains_are_counted_from_their_end() {
        let edges = [
            edge(1, "a", 7),
            edge(2, "a", 7),
            edge(3, "b", 1),
            edge(4, "c", 8),
        ];
        let found = chains(&edges);
        assert_eq!((found[0].root_tid, found[0].waiting), (7, 3));
        assert_eq!((found[1].root_tid, found[1].waiting), (8, 1));
        assert_eq!(found[0].locks, ["a"]);
    }
}

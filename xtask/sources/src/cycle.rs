//! Circles among rooms.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Which room names which.
pub type Graph<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// Groups of more than two rooms in which each reaches each, and for each group its shortest circle of at least three
/// rooms, if there is one.
pub fn circles<'a>(graph: &Graph<'a>) -> Vec<(Vec<&'a str>, Option<Vec<&'a str>>)> {
    let reach: BTreeMap<&str, BTreeSet<&str>> = graph
        .keys()
        .map(|&room| (room, reached(graph, room)))
        .collect();
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for (&room, reached) in &reach {
        let group: Vec<&str> = reached
            .iter()
            .copied()
            .filter(|other| reach.get(other).is_some_and(|back| back.contains(room)))
            .collect();
        if group.len() > 2 && seen.insert(group.clone()) {
            let circle = shortest(graph, &group);
            found.push((group, circle));
        }
    }
    found
}

fn reached<'a>(graph: &Graph<'a>, from: &'a str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut left = vec![from];
    while let Some(room) = left.pop() {
        for &next in graph.get(room).into_iter().flatten() {
            if reached.insert(next) {
                left.push(next);
            }
        }
    }
    reached
}

fn shortest<'a>(graph: &Graph<'a>, group: &[&'a str]) -> Option<Vec<&'a str>> {
    let arrows = group
        .iter()
        .flat_map(|&from| graph[from].iter().map(move |&to| (from, to)));
    arrows
        .filter_map(|(from, to)| way_back(graph, from, to))
        .min_by_key(Vec::len)
}

/// The shortest way from `to` back to `from` that leads through a third room, with `from` in front.
fn way_back<'a>(graph: &Graph<'a>, from: &'a str, to: &'a str) -> Option<Vec<&'a str>> {
    let mut came_from: BTreeMap<&str, &str> = BTreeMap::new();
    let mut left = VecDeque::from([to]);
    while let Some(room) = left.pop_front() {
        for &next in graph.get(room).into_iter().flatten() {
            if next == from && room != to {
                let mut way = vec![room];
                while let Some(&before) = came_from.get(way[way.len() - 1]) {
                    way.push(before);
                }
                way.push(from);
                way.reverse();
                return Some(way);
            }
            if next != from && next != to && !came_from.contains_key(next) {
                came_from.insert(next, room);
                left.push_back(next);
            }
        }
    }
    None
}

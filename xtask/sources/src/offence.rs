//! The rules that the arrows of a crate obey, and the arrows that do not.

use std::collections::BTreeSet;

use crate::cycle::{Graph, circles};
use crate::map::{Arrow, Map, ROOT};

/// So many arrows of one direction are listed; of more, the number is given.
const LISTED: usize = 12;

/// Rooms that may import verbs: they choose the one that was asked for.
const DOORS: [&str; 3] = [ROOT, "verbs", "verbs/dispatch"];

/// What breaks the rules, each as a paragraph: two rooms that import each other, circles of rooms, and verbs that are imported
/// by anything but the choice of the verb.
pub fn offences(map: &Map) -> Vec<String> {
    let mut found = two_way(map);
    found.extend(circle(map));
    found.extend(verbs(map));
    found
}

fn graph(map: &Map) -> Graph<'_> {
    let mut graph = Graph::new();
    for arrow in &map.arrows {
        let rooms = graph.entry(arrow.from.as_str()).or_default();
        rooms.insert(arrow.to.as_str());
    }
    graph
}

fn between<'a>(map: &'a Map, from: &str, to: &str) -> Vec<&'a Arrow> {
    let arrows = map.arrows.iter();
    arrows
        .filter(|arrow| arrow.from == from && arrow.to == to)
        .collect()
}

fn listed(arrows: &[&Arrow], at_most: usize) -> String {
    let mut text: String = arrows
        .iter()
        .take(at_most)
        .map(|arrow| format!("  {arrow}\n"))
        .collect();
    if let Some(more) = arrows.len().checked_sub(at_most + 1) {
        let Arrow { from, to, .. } = arrows[0];
        text += &format!("  {from} -> {to}: {} more\n", more + 1);
    }
    text
}

fn two_way(map: &Map) -> Vec<String> {
    let pairs: BTreeSet<(&str, &str)> = map
        .arrows
        .iter()
        .map(|arrow| (arrow.from.as_str(), arrow.to.as_str()))
        .collect();
    let both = pairs
        .iter()
        .filter(|(from, to)| from < to && pairs.contains(&(*to, *from)));
    both.map(|(one, other)| {
        let there = listed(&between(map, one, other), LISTED);
        let back = listed(&between(map, other, one), LISTED);
        format!("{one} and {other} import each other:\n{there}{back}")
    })
    .collect()
}

fn circle(map: &Map) -> Vec<String> {
    let mut found = Vec::new();
    for (group, circle) in circles(&graph(map)) {
        // Without a circle of three, the pairs say it all.
        let Some(circle) = circle else { continue };
        let names = circle.join(" -> ");
        let mut text = format!("a cycle of rooms: {names} -> {}\n", circle[0]);
        for (index, from) in circle.iter().enumerate() {
            let to = circle[(index + 1) % circle.len()];
            text += &listed(&between(map, from, to), 3);
        }
        if group.len() > circle.len() {
            text += &format!("  each of these reaches each: {}\n", group.join(", "));
        }
        found.push(text);
    }
    found
}

fn verbs(map: &Map) -> Vec<String> {
    let is_verb = |room: &str| room == "verbs" || room.starts_with("verbs/");
    let wrong: Vec<&Arrow> = map
        .arrows
        .iter()
        .filter(|arrow| is_verb(&arrow.to) && !DOORS.contains(&arrow.from.as_str()))
        .collect();
    if wrong.is_empty() {
        return Vec::new();
    }
    let listed = listed(&wrong, usize::MAX - 1);
    vec![format!(
        "only the choice of the verb imports verbs:\n{listed}"
    )]
}

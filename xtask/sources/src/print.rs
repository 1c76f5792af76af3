//! The map of a crate as a newcomer reads it.

use std::collections::BTreeMap;

use crate::map::{Arrow, Map};

/// Each room with the number of its files, and the rooms that it imports with the number of places.
pub fn table(map: &Map) -> String {
    let imports = imports(map);
    let width = map.rooms.keys().map(|room| room.len()).max().unwrap_or(0);
    let mut text = format!("{:width$}  files  imports (number of places)\n", "room");
    for (room, files) in &map.rooms {
        let to: Vec<String> = imports
            .iter()
            .filter(|((from, _), _)| *from == room)
            .map(|((_, to), places)| format!("{to} {places}"))
            .collect();
        let line = format!("{room:width$}  {files:>5}  {}", to.join(", "));
        text += line.trim_end();
        text += "\n";
    }
    let total: usize = map.rooms.values().sum();
    let (rooms, arrows) = (map.rooms.len(), imports.len());
    text + &format!("{rooms} rooms, {total} files, {arrows} arrows\n")
}

/// The same for Graphviz: `cargo xtask rooms --dot lab | dot -Tsvg`.
pub fn dot(name: &str, map: &Map) -> String {
    let mut text = format!("digraph \"{name}\" {{\n");
    for room in map.rooms.keys() {
        text += &format!("  \"{room}\";\n");
    }
    for ((from, to), places) in imports(map) {
        text += &format!("  \"{from}\" -> \"{to}\" [label={places}];\n");
    }
    text + "}\n"
}

fn imports(map: &Map) -> BTreeMap<(&String, &String), usize> {
    let mut imports = BTreeMap::new();
    let between_rooms = |arrow: &&Arrow| map.rooms.contains_key(&arrow.from);
    for arrow in map.arrows.iter().filter(between_rooms) {
        *imports.entry((&arrow.from, &arrow.to)).or_default() += 1;
    }
    imports
}

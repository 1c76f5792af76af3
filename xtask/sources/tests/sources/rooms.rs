//! No two rooms of a crate import each other, no crate has a cycle of rooms, and nothing but the choice of the verb imports verbs.

use std::path::Path;

use xtask_sources::{Map, crates, offences, root};

use crate::made_up::map;

#[test]
fn arrows_between_rooms_lead_one_way() {
    let root = root();
    let wrong: Vec<_> = crates(&root)
        .iter()
        .flat_map(|folder| {
            let offences = offences(&Map::read(&root, folder));
            let name = folder.to_str().unwrap().replace('\\', "/");
            offences
                .into_iter()
                .map(move |offence| format!("{name}: {offence}"))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// A map that sees nothing would obey every rule.
#[test]
fn the_map_of_a_real_crate_has_its_rooms_and_arrows() {
    let map = Map::read(&root(), Path::new("crates/lab"));
    assert!(map.rooms.len() > 5, "{:?}", map.rooms.keys());
    assert!(map.arrows.len() > 100, "{}", map.arrows.len());
    assert!(map.rooms.contains_key("stats"));
}

#[test]
fn a_planted_pair_is_found_with_both_sides() {
    let map = map(&[
        ("lib.rs", "mod a;\nmod b;\npub use b::B;\n"),
        ("a.rs", "use crate::B;\npub struct A;\n"),
        ("b.rs", "pub struct B;\n\nfn f(_: super::a::A) {}\n"),
    ]);
    assert_eq!(
        offences(&map),
        ["a and b import each other:\n  \
          a -> b: crates/made-up/src/a.rs:1 (crate::B)\n  \
          b -> a: crates/made-up/src/b.rs:3 (super::a::A)\n"]
    );
}

#[test]
fn of_a_planted_cycle_the_shortest_is_shown() {
    let map = map(&[
        ("lib.rs", "mod a;\nmod b;\nmod c;\nmod d;\nmod free;\n"),
        ("a.rs", "use crate::b;\n"),
        ("b.rs", "use crate::c;\n"),
        ("c.rs", "use crate::a;\nuse crate::d;\n"),
        ("d.rs", "use crate::a;\nuse crate::free;\n"),
        ("free.rs", ""),
    ]);
    assert_eq!(
        offences(&map),
        ["a cycle of rooms: a -> b -> c -> a\n  \
          a -> b: crates/made-up/src/a.rs:1 (crate::b)\n  \
          b -> c: crates/made-up/src/b.rs:1 (crate::c)\n  \
          c -> a: crates/made-up/src/c.rs:1 (crate::a)\n  \
          each of these reaches each: a, b, c, d\n"]
    );
}

#[test]
fn a_room_that_imports_a_verb_is_found() {
    let map = map(&[
        (
            "main.rs",
            "mod low;\nmod verbs;\nfn main() { verbs::run() }\n",
        ),
        (
            "verbs/mod.rs",
            "mod dispatch;\nmod one;\nmod two;\npub use dispatch::run;\n",
        ),
        ("verbs/dispatch.rs", "use super::one::run;\n"),
        ("verbs/one.rs", "pub fn run() {}\n"),
        ("verbs/two.rs", "use super::one::run;\nuse crate::low::L;\n"),
        ("low.rs", "pub struct L;\n"),
    ]);
    assert_eq!(
        offences(&map),
        ["only the choice of the verb imports verbs:\n  \
          verbs/two -> verbs/one: crates/made-up/src/verbs/two.rs:1 (super::one::run)\n"]
    );
}

#[test]
fn what_leads_one_way_is_no_offence() {
    let map = map(&[
        ("lib.rs", "mod a;\nmod b;\nmod c;\n"),
        (
            "a.rs",
            "use crate::{b, c};\n#[cfg(test)]\nmod tests { use crate::c; }\n",
        ),
        ("b.rs", "use crate::c;\n"),
        ("c.rs", "#[cfg(test)]\nuse crate::a;\n"),
    ]);
    assert_eq!(offences(&map), Vec::<String>::new());
}

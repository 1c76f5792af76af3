//! Children have parts of their own.

use std::collections::BTreeMap;

use locktoll_recording::layout::Origin;
use locktoll_recording::reader::Part;

use crate::support::{Recorded, acquisitions_in, compare, program, whole};

fn parts(recorded: &Recorded) -> Vec<&Part> {
    recorded.recordings.iter().map(whole).collect()
}

/// Acquisitions of the one mutex that all acquire, by how the process began.
fn acquisitions(recorded: &Recorded) -> BTreeMap<(Option<Origin>, bool), u64> {
    let mut found = BTreeMap::new();
    for part in parts(recorded) {
        let is_leaf =
            part.process.command.arguments.len() > 1 && part.process.command.arguments[1] == "leaf";
        let name = if is_leaf { "leaf" } else { "parent" };
        let count = acquisitions_in(part, "families_c");
        *found
            .entry((part.process.origin, name == "leaf"))
            .or_default() += count;
    }
    found
}

const EXEC: Option<Origin> = Some(Origin::Exec);
const FORK: Option<Origin> = Some(Origin::Fork);

#[test]
fn a_forked_child_writes_a_part_of_its_own() {
    let recorded = compare(&program("families.c"), &["fork"]);
    let expected = BTreeMap::from([((EXEC, false), 111), ((FORK, false), 7)]);
    assert_eq!(acquisitions(&recorded), expected);
    let parts = parts(&recorded);
    let child = parts
        .iter()
        .find(|part| part.process.origin == FORK)
        .unwrap();
    let parent = parts
        .iter()
        .find(|part| part.process.origin == EXEC)
        .unwrap();
    assert_eq!(child.process.parent_pid, parent.process.pid);
}

#[test]
fn a_child_forked_while_another_thread_takes_locks_is_recorded() {
    for _ in 0..10 {
        let recorded = compare(&program("families.c"), &["fork-thread"]);
        let parts = parts(&recorded);
        let child = parts
            .iter()
            .find(|part| part.process.origin == FORK)
            .unwrap();
        assert_eq!(acquisitions_in(child, "families_c"), 7);
    }
}

#[test]
fn an_image_started_by_vfork_or_spawn_is_recorded_and_its_parent_too() {
    for way in ["vfork", "spawn"] {
        let recorded = compare(&program("families.c"), &[way]);
        let expected = BTreeMap::from([((EXEC, false), 111), ((EXEC, true), 5)]);
        assert_eq!(acquisitions(&recorded), expected, "{way}");
    }
}

#[test]
fn exec_begins_a_second_part_of_the_same_process() {
    let recorded = compare(&program("families.c"), &["exec"]);
    let expected = BTreeMap::from([((EXEC, false), 100), ((EXEC, true), 5)]);
    assert_eq!(acquisitions(&recorded), expected);
    let parts = parts(&recorded);
    assert_eq!(parts[0].process.pid, parts[1].process.pid);
    assert_ne!(parts[0].process.sequence, parts[1].process.sequence);
}

#[test]
fn exec_by_one_thread_ends_the_others_where_they_are() {
    let recorded = compare(&program("families.c"), &["exec-thread"]);
    let parts = parts(&recorded);
    let [before, after] = parts[..] else {
        panic!("{} parts", parts.len());
    };
    assert_eq!(before.process.pid, after.process.pid);
    assert_eq!(acquisitions_in(after, "families_c"), 5);
    // The one that waits for ever waited until then.
    let mut waiting = before
        .threads
        .iter()
        .filter(|thread| thread.waiting.is_some());
    assert!(waiting.next().is_some());
    assert!(acquisitions_in(before, "families_c") > 101);
}

#[test]
fn a_child_forked_by_a_signal_handler_goes_on_where_its_parent_waited() {
    let recorded = compare(&program("forking_handler.c"), &[]);
    let child = parts(&recorded)
        .into_iter()
        .find(|part| part.process.origin == FORK)
        .unwrap();
    // What the wait came to is lost with the parent's tables; what came after is there.
    assert_eq!(acquisitions_in(child, "forking_handler_c"), 1);
}

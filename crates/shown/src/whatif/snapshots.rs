//! Snapshot tests of the text, from fixed figures.

use insta::assert_snapshot;

use crate::Shown;
use locktoll_made_up::made_up::whatif;
use locktoll_results::whatif::WhatIfResult;

/// Returns the text as it looks without colours, and checks that no line is wider than asked for.
fn plain(result: &WhatIfResult, width: usize) -> String {
    let page = anstream::adapter::strip_str(&result.text_within(width)).to_string();
    for line in page.lines() {
        assert!(line.chars().count() <= width, "{line}");
        assert_eq!(line, line.trim_end());
    }
    page
}

#[test]
fn one_lock_gains_and_the_longest_wait_has_no_effect() {
    assert_snapshot!(plain(&whatif::decoy(), 110));
}

#[test]
fn a_narrow_terminal_shows_the_largest_change_alone() {
    assert_snapshot!(plain(&whatif::decoy(), 72));
}

#[test]
fn a_long_name_leaves_room_for_the_larger_changes() {
    let mut result = whatif::decoy();
    for lock in &mut result.locks {
        lock.name = format!("{} of the session cache", lock.name);
    }
    let page = plain(&result, 100);
    let table: Vec<&str> = page.split("\n\n").nth(1).unwrap().lines().collect();
    assert_snapshot!(table.join("\n"));
}

#[test]
fn what_is_not_certain_is_said() {
    assert_snapshot!(plain(&whatif::unclear(), 110));
}

#[test]
fn a_saved_result_reads_back() {
    let document = serde_json::to_string(&whatif::decoy()).unwrap();
    let read: WhatIfResult = serde_json::from_str(&document).unwrap();
    assert_eq!(plain(&read, 110), plain(&whatif::decoy(), 110));
}

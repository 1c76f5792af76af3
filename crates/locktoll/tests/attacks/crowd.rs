//! A process that makes as many threads, words, stacks and mappings as it can while it is watched.

use std::process::Command;

use crate::bench::Bench;
use crate::target::{Target, attach, attached, shared};

/// A bound, not a figure: SECURITY.md has those.
const MOST_KIB: u64 = 1 << 20;

#[test]
fn memory_stays_bounded_however_much_there_is_of_everything() {
    let bench = Bench::new();
    shared(&bench, "shared");
    // The long variant is what was measured; this one goes beyond every limit of `attach` just as well.
    let (threads, words, stacks, mappings) = match locktoll_needs::soak() {
        true => ("100000", "100000", "100000", "60000"),
        false => ("1000", "20000", "20000", "20000"),
    };
    let mut command = Command::new(bench.c("crowd", &[]));
    let target = Target::ready(command.args([threads, words, stacks, mappings]));
    let duration = if locktoll_needs::soak() { "30s" } else { "3s" };
    let Some((ended, profile)) = attached(attach(&bench, target.id(), duration)) else {
        return;
    };
    assert!(ended.memory_kib < MOST_KIB, "{} KiB", ended.memory_kib);
    println!(
        "{} KiB, {:?} of processor time in {duration}",
        ended.memory_kib, ended.cpu
    );
    // What found no room is said, not passed over.
    let dropped = profile["dropped"].as_object().unwrap();
    assert!(
        dropped.values().any(|it| it.as_u64() > Some(0)),
        "{dropped:?}"
    );
}

//! A process whose command line is as long as its memory.

use std::process::Command;

use crate::bench::Bench;
use crate::target::{Target, attach, attached, run, shared};

/// Far less than the command line, and more than watching takes.
const MOST_KIB: u64 = 512 << 10;

#[test]
fn a_command_line_of_a_gigabyte_is_not_read_to_its_end() {
    let bench = Bench::new();
    shared(&bench, "shared");
    let target = Target::start(&mut Command::new(bench.c("long_command", &[])));
    if target.said() != "ready\n" {
        locktoll_needs::refused("this kernel does not let a process move its command line");
        return;
    }
    let mut top = bench.locktoll();
    top.args(["top", "--json", "--count", "1", "--interval", "100ms"]);
    let id = target.id().to_string();
    let ended = run(top.arg(&id), &bench.path("lines"));
    assert!(ended.memory_kib < MOST_KIB, "{} KiB", ended.memory_kib);
    let Some((ended, profile)) = attached(attach(&bench, target.id(), "200ms")) else {
        return;
    };
    assert!(ended.memory_kib < MOST_KIB, "{} KiB", ended.memory_kib);
    assert!(profile["command"].is_array());
}

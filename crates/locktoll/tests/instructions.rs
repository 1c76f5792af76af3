//! A pair of acquisition and release takes no more instructions, loads, stores and branches than the table in
//! benches/instructions.md says. Fewer is fine; `cargo xtask instructions --keep` updates the table.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use std::path::Path;
use std::process::Command;

use locktoll_stepping::{Libraries, PAIRS, Table, Way, ways};
use locktoll_substitute::candidate::ALL;

/// How many pairs are stepped. Fewer than for the table are enough where each pair is like the one before it: a step takes two system calls
/// of the stepper, and a switch there and back. Not so of the recorder, which times some of the holds.
fn pairs(way: &Way) -> u32 {
    match way {
        Way::Recorded | Way::Exact => PAIRS,
        Way::Bare | Way::Tollgate | Way::Substituted(_) => PAIRS / 4,
    }
}

#[test]
fn no_pair_has_grown() {
    let kept = include_str!("../../../benches/instructions.md");
    let kept = Table::read(kept).expect("a table");
    let rustc = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    let rustc = Command::new(rustc).arg("--version").output().unwrap();
    let made_by = Table::made_by(&String::from_utf8_lossy(&rustc.stdout));
    if made_by != kept.made_by {
        let why = format!("instructions were counted with {}", kept.made_by);
        locktoll_needs::refused(&format!("{why}, and here is {made_by}"));
        return;
    }
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let libraries = Libraries::of_build(scratch.parent().unwrap());
    if let Err(error) = Way::Bare.count(pairs(&Way::Bare), &libraries, scratch) {
        locktoll_needs::refused(&format!("no program can be stepped: {error:#}"));
        return;
    }
    let ways = ways(ALL.iter().map(|it| it.name));
    let grown = |ways: &[Way]| -> Vec<String> {
        let each = ways.iter().map(|way| {
            let counts = way.count(pairs(way), &libraries, scratch).unwrap();
            kept.grown(&way.name(), &counts)
        });
        each.flatten().collect()
    };
    let (first, second) = ways.split_at(ways.len() / 2);
    let grown = std::thread::scope(|scope| {
        let first = scope.spawn(|| grown(first));
        [grown(second), first.join().unwrap()].concat()
    });
    assert_eq!(grown, [""; 0]);
}

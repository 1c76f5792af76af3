//! The calls that led to locks and to waits, against the return addresses that the program noted by itself.

use locktoll_recording::layout::{BirthBy, LockKind};
use locktoll_recording::reader::Part;

use crate::support::{program_with, run_recorded};

/// What happened, and the return addresses that lead there.
fn answers(output: &[u8]) -> Vec<(String, Vec<u64>)> {
    let text = String::from_utf8(output.to_vec()).unwrap();
    let line = |line: &str| {
        let mut words = line.split(' ');
        let what = words.next().unwrap().to_owned();
        let addresses = words.map(|word| u64::from_str_radix(word, 16).unwrap());
        (what, addresses.collect())
    };
    text.lines().map(line).collect()
}

/// The addresses of the stack at `stack`, without the innermost, which the program cannot note.
fn outer_calls(part: &Part, stack: usize) -> Vec<u64> {
    let sites = part.stacks[stack].sites.iter().skip(1);
    sites
        .map(|site| part.sites[site.expect("every call is a site")].address)
        .collect()
}

fn check(flags: &[&str]) {
    let recorded = run_recorded(&program_with("stack_births.c", flags), &[]);
    let part = recorded.only_part();
    let born = |noted: &[u64], by, kind| {
        part.births.iter().any(|birth| {
            let stack = birth.stack.expect("every birth has a stack");
            birth.by == Some(by)
                && birth.kind == Some(kind)
                && outer_calls(part, stack).starts_with(noted)
        })
    };
    let waited = |noted: &[u64]| {
        part.stack_waits.iter().any(|wait| {
            let stack = wait.stack.expect("every wait has a stack");
            outer_calls(part, stack).starts_with(noted)
        })
    };
    let answers = answers(&recorded.output.stdout);
    assert_eq!(answers.len(), 5);
    for (what, noted) in &answers {
        assert!(noted.len() > 3);
        let found = match what.as_str() {
            "init" => born(noted, BirthBy::Initialisation, LockKind::Mutex),
            "first" => born(noted, BirthBy::FirstUse, LockKind::Mutex),
            "contended" | "condition" => waited(noted),
            "handler" => handler_found(part, noted),
            other => panic!("{other}"),
        };
        let stacks: Vec<_> = (0..part.stacks.len())
            .map(|stack| outer_calls(part, stack))
            .collect();
        assert!(
            found,
            "{what} {noted:x?} by {flags:?} is not in {stacks:x?}"
        );
    }
}

/// Whether the birth of a mutex goes from the handler through the interrupted calls.
fn handler_found(part: &Part, noted: &[u64]) -> bool {
    part.births.iter().any(|birth| {
        let calls = birth.stack.map(|stack| outer_calls(part, stack));
        let mut calls = calls.unwrap_or_default().into_iter();
        birth.kind == Some(LockKind::Mutex)
            && noted.iter().all(|noted| calls.any(|call| call == *noted))
    })
}

#[test]
fn the_calls_are_found_with_tables_and_without_frame_pointers() {
    check(&["-O2", "-fomit-frame-pointer"]);
}

#[test]
fn the_calls_are_found_in_unoptimised_code() {
    check(&["-O0"]);
}

#[test]
fn the_calls_are_found_by_frame_pointers_alone() {
    check(&[
        "-O1",
        "-fno-omit-frame-pointer",
        "-fno-asynchronous-unwind-tables",
        "-fno-unwind-tables",
    ]);
}

#[test]
fn a_program_without_either_is_left_in_peace() {
    let flags = [
        "-O2",
        "-fomit-frame-pointer",
        "-fno-asynchronous-unwind-tables",
        "-fno-unwind-tables",
    ];
    let recorded = run_recorded(&program_with("stack_births.c", &flags), &[]);
    let part = recorded.only_part();
    // The innermost call is always there: it needs no table.
    assert!(part.births.iter().all(|birth| birth.stack.is_some()));
    assert!(part.births.len() > 3);
    assert_eq!(answers(&recorded.output.stdout).len(), 5);
}

//! Stacks of programs without frame pointers contain every call that the program reports, in order.

use std::path::PathBuf;
use std::process::Command;

use super::subject::Subject;
use crate::futexes::unwind::Cut;

const SOURCE: &str = "known_stack.c";

/// Without frame pointers, and optimised as programs usually are.
const FLAGS: &[&str] = &["-O2", "-fomit-frame-pointer", "-pthread", "-w"];

/// Returns the stack of the subject's wait, the calls that it reports, and why the stack ends early if it does; none where the
/// kernel does not let us watch.
fn stack_of(
    flags: &[&str],
    words: &[&str],
    before: impl FnOnce(&Subject),
) -> Option<(Vec<u64>, Vec<u64>, Option<Cut>)> {
    let flags = [FLAGS, flags].concat();
    let mut subject = Subject::start_with(SOURCE, &flags, words);
    before(&subject);
    let mut watch = subject.watch()?;
    if words.first() == Some(&"plugin") {
        subject.work();
        watch.refresh().expect("maps");
    }
    let said = subject.work();
    let gathered = watch.gathered().expect("maps");
    let addresses = |what| {
        let lines = said.iter().filter(move |line| line.word(0) == what);
        lines.map(|line| line.address(1))
    };
    let lock = addresses("lock").next().expect("a lock");
    let waits: Vec<_> = gathered
        .waits
        .iter()
        .filter(|wait| wait.word == lock && wait.stack != 0)
        .collect();
    assert_eq!(waits.len(), 1, "{:?}", gathered.waits);
    let number = waits[0].stack;
    Some((
        gathered.stacks[&number].clone(),
        addresses("call").collect(),
        gathered.cut_stacks.get(&number).copied(),
    ))
}

/// Checks that the stack contains all of the calls one after the other, and goes on to the thread's outermost function.
fn all_in_order(flags: &[&str], words: &[&str]) {
    let Some((stack, calls, cut)) = stack_of(flags, words, |_| {}) else {
        return;
    };
    assert!(calls.len() >= 3);
    assert!(
        stack.windows(calls.len()).any(|part| part == calls),
        "{calls:x?} in {stack:x?}"
    );
    assert_eq!(cut, None, "{stack:x?}");
}

/// Whether the stack contains all of the calls in their order, with others in between.
fn with_others_between(stack: &[u64], calls: &[u64]) {
    let mut rest = stack.iter();
    for call in calls {
        assert!(
            rest.any(|address| address == call),
            "{call:x} of {calls:x?} in {stack:x?}"
        );
    }
}

#[test]
fn of_a_program_that_is_loaded_anywhere() {
    all_in_order(&["-pie", "-fPIE"], &["plain"]);
}

#[test]
fn of_a_program_that_has_its_place() {
    all_in_order(&["-no-pie", "-fno-pie"], &["plain"]);
}

#[test]
fn of_a_static_program() {
    all_in_order(&["-static", "-DWITHOUT_PLUGINS"], &["plain"]);
}

#[test]
fn of_a_program_with_frame_pointers_and_no_tables() {
    all_in_order(
        &[
            "-fno-omit-frame-pointer",
            "-fno-asynchronous-unwind-tables",
            "-fno-unwind-tables",
        ],
        &["plain"],
    );
}

#[test]
fn of_frames_that_are_aligned_or_have_no_fixed_size() {
    all_in_order(&[], &["aligned"]);
}

#[test]
fn through_the_handler_of_a_signal() {
    let Some((stack, calls, cut)) = stack_of(&[], &["handler"], |_| {}) else {
        return;
    };
    assert_eq!(calls.len(), 5);
    with_others_between(&stack, &calls);
    assert_eq!(cut, None, "{stack:x?}");
}

#[test]
fn of_more_calls_than_are_kept() {
    let Some((stack, calls, cut)) = stack_of(&[], &["deep"], |_| {}) else {
        return;
    };
    with_others_between(&stack, &calls);
    assert_eq!(stack.len(), 64);
    assert_eq!(cut, Some(Cut::TooDeep));
}

#[test]
fn of_a_program_whose_file_is_gone() {
    let found = stack_of(&[], &["plain"], |subject| {
        std::fs::remove_file(subject.program()).expect("its file is removed");
    });
    let Some((stack, calls, cut)) = found else {
        return;
    };
    with_others_between(&stack, &calls);
    assert_eq!(cut, None, "{stack:x?}");
}

#[test]
fn of_code_that_was_loaded_while_we_watched() {
    let folder = tempfile::tempdir().expect("a folder");
    let plugin = folder.path().join("plugin.so");
    let source =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/known_stack.c");
    let compiled = Command::new("cc")
        .args(FLAGS)
        .args(["-shared", "-fPIC", "-DPLUGIN", "-o"])
        .arg(&plugin)
        .arg(source)
        .status();
    assert!(compiled.expect("cc").success());
    let found = stack_of(&[], &["plugin", plugin.to_str().expect("text")], |_| {});
    let Some((stack, calls, cut)) = found else {
        return;
    };
    assert_eq!(calls.len(), 4);
    with_others_between(&stack, &calls);
    assert_eq!(cut, None, "{stack:x?}");
}

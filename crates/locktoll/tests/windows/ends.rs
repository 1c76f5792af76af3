//! The ends of runs and of their processes.

use std::os::windows::process::CommandExt;
use std::process::{Child, Stdio};

use windows_sys::Win32::System::Console::{
    CTRL_BREAK_EVENT, GenerateConsoleCtrlEvent, GetConsoleMode, GetStdHandle, STD_INPUT_HANDLE,
};
use windows_sys::Win32::System::Threading::CREATE_NEW_PROCESS_GROUP;

use crate::children;
use crate::program::{alone, locktoll, parsed, program, text};

/// A run that goes on for half a minute if nobody ends it.
fn long_run() -> Child {
    program()
        .args([
            "bench",
            "--json",
            "--lock=std",
            "--threads=2",
            "--duration=10s",
            "--repeat=1",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .creation_flags(CREATE_NEW_PROCESS_GROUP)
        .spawn()
        .unwrap()
}

#[test]
fn children_that_crash_are_told_by_their_exception() {
    let output = alone(|| {
        let mut run = program()
            .args([
                "bench",
                "--json",
                "--lock=std",
                "--threads=1,2",
                "--duration=5s",
                "--part=throughput",
                "--repeat=1",
            ])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Each of them: a lock is run a second time for comparison, and that slice has no cell of its own.
        children::until("the run ended", || {
            children::at_work(run.id())
                .into_iter()
                .for_each(|child| children::end(child, 0xC000_0005));
            run.try_wait().unwrap()
        });
        run.wait_with_output().unwrap()
    });
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let document = parsed(&text(&output.stdout));
    for cell in document["cells"].as_array().unwrap() {
        let failure = cell["failure"].to_string();
        assert!(failure.contains("0xC0000005 (access violation)"), "{cell}");
    }
}

#[test]
fn a_stuck_cell_is_cut_off_and_told() {
    // Each thread holds for 50 ms, and a ticket lock serves all 200 in turn: ten seconds.
    let output = locktoll(&[
        "bench",
        "--json",
        "--repeat=1",
        "--lock=ticket",
        "--threads=200",
        "--hold=50ms",
        "--duration=200ms",
        "--part=throughput",
    ]);
    // Where nobody got through at all, there is no figure, and the run says so.
    let document = parsed(&text(&output.stdout));
    let cell = &document["cells"][0];
    assert!(cell["cut_off"]["threads"].as_u64() > Some(0), "{cell}");
    assert_eq!(cell["ns_per_op"]["n"], 1, "{cell}");
}

#[test]
fn children_end_with_their_parent() {
    alone(|| {
        let mut run = long_run();
        let child = children::first_of(run.id());
        run.kill().unwrap();
        run.wait().unwrap();
        children::until("the child ended", || {
            (!children::of(run.id()).contains(&child)).then_some(())
        });
    });
}

#[test]
fn an_interrupted_run_shows_what_there_is() {
    // Only processes of a console get its events; under Wine there is one if a terminal is.
    // SAFETY: takes a number, and a place of our own for the answer.
    let console = unsafe { GetConsoleMode(GetStdHandle(STD_INPUT_HANDLE), &mut 0) } != 0;
    if !console {
        println!("no console: nothing can be sent");
        return;
    }
    let output = alone(|| {
        let run = long_run();
        children::first_of(run.id());
        // SAFETY: takes numbers; the group was made for the run alone.
        let sent = unsafe { GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, run.id()) };
        assert_ne!(sent, 0);
        run.wait_with_output().unwrap()
    });
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("partial"));
    assert_eq!(parsed(&text(&output.stdout))["partial"], true);
}

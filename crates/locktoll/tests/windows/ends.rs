//! How runs and their processes end.

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
fn a_child_that_crashes_is_told_and_the_others_are_measured() {
    let output = alone(|| {
        let run = program()
            .args([
                "bench",
                "--json",
                "--lock=std",
                "--threads=1,2",
                "--duration=1500ms",
                "--part=throughput",
                "--repeat=1",
            ])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        children::end(children::first_of(run.id()), 0xC000_0005);
        run.wait_with_output().unwrap()
    });
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let document = parsed(&text(&output.stdout));
    let cells = document["cells"].as_array().unwrap();
    let failed = |cell: &serde_json::Value| {
        let failure = cell["failure"].to_string();
        failure.contains("0xC0000005") && failure.contains("access violation")
    };
    assert_eq!(
        cells.iter().filter(|cell| failed(cell)).count(),
        1,
        "{document}"
    );
    assert!(
        cells
            .iter()
            .any(|cell| cell["operations"].as_u64() > Some(0)),
        "{document}"
    );
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
        assert_ne!(
            unsafe { GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, run.id()) },
            0
        );
        run.wait_with_output().unwrap()
    });
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("partial"));
    assert_eq!(parsed(&text(&output.stdout))["partial"], true);
}

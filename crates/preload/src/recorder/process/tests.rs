//! A process's recorder, each time in a process of its own: this test program is started again for one test.

use std::path::Path;
use std::process::Command;
use std::ptr;

use locktoll_recording::reader::{self, Recording};

use super::*;

const ALONE: &str = "LOCKTOLL_TEST_ALONE";

/// Runs `scenario` in a process of its own, which records into `folder`. `test` is the name of the calling test.
fn alone(test: &str, folder: &Path, scenario: fn()) {
    if std::env::var_os(ALONE).is_some() {
        return scenario();
    }
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &format!("recorder::process::tests::{test}")])
        .env(ALONE, "1")
        .env("LOCKTOLL_PARTS", folder)
        .env("LOCKTOLL_MODE", "exact")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}"
    );
}

/// Does the same with a folder, and returns the part that the process leaves; `None` in that process itself.
fn recorded(test: &str, scenario: fn()) -> Option<reader::Process> {
    let folder = tempfile::tempdir().unwrap();
    alone(test, folder.path(), scenario);
    if std::env::var_os(ALONE).is_some() {
        return None;
    }
    let mut files = std::fs::read_dir(folder.path()).unwrap();
    let recording = Recording::open(files.next().unwrap().unwrap().path()).unwrap();
    assert!(files.next().is_none(), "there is one part");
    Some(recording.parts[0].process.clone())
}

const fn has_failed(result: &i32) -> bool {
    *result < 0
}

fn give_up(call: impl FnOnce() -> i32) -> i32 {
    Recorder::giving_up_system_calls(call, has_failed)
}

#[test]
fn a_recorder_runs_from_its_first_use_on() {
    fn scenario() {
        assert!(Recorder::get().is_none() && matches!(Recorder::state(), State::Off));
        let recorder = Recorder::mapped().unwrap();
        assert!(matches!(Recorder::state(), State::New) && !recorder.is_on());
        assert!(ptr::eq(Recorder::running().unwrap(), recorder));
        assert!(recorder.is_on() && recorder.is_exact() && recorder.salt() > 1);
        let is_its = |part: &Part| ptr::eq(part, recorder.part());
        assert!(matches!(Recorder::state(), State::On(part) if is_its(part)));
        // Nothing starts a second time.
        let salt = recorder.salt();
        assert!(ptr::eq(recorder.start().unwrap(), recorder));
        assert!(ptr::eq(Recorder::running().unwrap(), recorder) && recorder.salt() == salt);
        assert!(recorder.is_after_the_end(recorder.after_the_end()));
        assert!(!recorder.is_after_the_end(&recorder.shared.stand_in));
    }
    if let Some(process) = recorded("a_recorder_runs_from_its_first_use_on", scenario) {
        assert_eq!(process.origin, Some(Origin::Exec));
        assert_eq!((process.mode, process.sequence), (Some(Mode::Exact), 0));
        assert!(process.stopped.is_none());
    }
}

#[test]
fn a_process_that_gives_up_system_calls_records_no_more() {
    fn scenario() {
        let recorder = Recorder::running().unwrap();
        let is_its = |part: &Part| ptr::eq(part, recorder.part());
        let is_shut = || matches!(Recorder::state(), State::Shut(part) if is_its(part));
        let result = give_up(|| {
            // From just before the call on: the kernel may end the process for any other.
            assert!(is_shut() && !recorder.is_on() && sys::are_calls_given_up());
            assert_eq!(recorder.part().stopped_by(), None);
            7
        });
        assert_eq!(result, 7);
        assert!(is_shut() && sys::are_calls_given_up() && Recorder::running().is_none());
        assert_eq!(recorder.part().stopped_by(), Some(libc::EPERM));
    }
    let test = "a_process_that_gives_up_system_calls_records_no_more";
    if let Some(process) = recorded(test, scenario) {
        let stopped = process.stopped.unwrap();
        assert_eq!(stopped.reason, Some(StopReason::Forbidden));
    }
}

#[test]
fn a_call_that_fails_gives_nothing_up() {
    fn scenario() {
        let recorder = Recorder::running().unwrap();
        let goes_on = || recorder.is_on() && !sys::are_calls_given_up();
        assert_eq!(give_up(|| -1), -1);
        assert!(goes_on() && recorder.part().stopped_by().is_none());
        // Two threads at once: the first to fail leaves it to the other.
        give_up(|| {
            give_up(|| -1);
            assert!(!recorder.is_on() && sys::are_calls_given_up());
            -1
        });
        assert!(goes_on());
        // A child that shares the memory of its parent, vfork(2): the parent goes on meanwhile.
        let pid = &recorder.part().header().unwrap().pid;
        pid.fetch_add(1, Relaxed);
        let result = give_up(|| i32::from(goes_on()));
        assert_eq!(result, 1);
        pid.fetch_sub(1, Relaxed);
        // The other thread's call succeeds.
        give_up(|| {
            give_up(|| 0);
            -1
        });
        assert!(!recorder.is_on() && sys::are_calls_given_up());
    }
    if let Some(process) = recorded("a_call_that_fails_gives_nothing_up", scenario) {
        assert!(process.stopped.is_none());
    }
}

#[test]
fn a_recorder_that_may_make_no_call_or_has_no_folder_does_not_start() {
    fn scenario() {
        sys::GIVEN_UP.fetch_add(1, Relaxed);
        assert!(Recorder::running().is_none() && Recorder::get().is_none());
        sys::GIVEN_UP.fetch_sub(1, Relaxed);
        let recorder = Recorder::mapped().unwrap();
        sys::GIVEN_UP.fetch_add(1, Relaxed);
        assert!(Recorder::running().is_none());
        assert!(
            matches!(Recorder::state(), State::New),
            "it may start later"
        );
        sys::GIVEN_UP.fetch_sub(1, Relaxed);
        assert!(Recorder::running().is_none() && Recorder::running().is_none());
        assert!(matches!(Recorder::state(), State::Off) && !recorder.is_on());
        assert_eq!(failure::noted(), Some(Errno(libc::ENOENT)));
    }
    alone(
        "a_recorder_that_may_make_no_call_or_has_no_folder_does_not_start",
        Path::new("/no/such/folder"),
        scenario,
    );
}

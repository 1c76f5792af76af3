//! Files of other kinds than their names suggest.

use std::process::Command;

use crate::bench::Bench;
use crate::target::{Target, read, run, shared};

#[test]
fn a_pipe_under_the_name_of_a_recording_is_not_opened_by_top() {
    let bench = Bench::new();
    let folder = shared(&bench, "shared");
    let program = bench.c("maps_a_trap", &[]);
    let target = Target::ready(Command::new(program).arg(&folder));
    for more in [&[][..], &[&target.id().to_string()]] {
        let mut top = bench.locktoll();
        top.args(["top", "--json", "--count", "2", "--interval", "200ms"]);
        let said = bench.path("lines");
        let ended = run(top.args(more), &said);
        // Into the process alone nobody looks without privileges.
        match ended.code {
            Some(3) => locktoll_needs::refused(&ended.errors),
            code => assert_eq!((code, read(&said).lines().count()), (Some(0), 2)),
        }
    }
}

#[test]
fn a_recording_that_has_become_a_pipe_is_refused_by_report_and_compare() {
    let bench = Bench::new();
    let folder = shared(&bench, "shared");
    let pipe = folder.join("run.locktoll");
    let mode = rustix::fs::Mode::from_raw_mode(0o644);
    let fifo = rustix::fs::FileType::Fifo;
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, fifo, mode, 0).unwrap();
    let parts = folder.join("other.parts-1");
    std::fs::create_dir(&parts).unwrap();
    let part = parts.join("7-0.part");
    rustix::fs::mknodat(rustix::fs::CWD, &part, fifo, mode, 0).unwrap();
    let name = |it: &std::path::Path| it.to_str().unwrap().to_owned();
    for words in [
        vec!["report".to_owned(), name(&pipe)],
        vec!["report".to_owned(), name(&parts)],
        vec!["compare".to_owned(), name(&pipe), name(&pipe)],
    ] {
        let ended = run(bench.locktoll().args(&words), &bench.path("said"));
        assert_eq!(ended.code, Some(2), "{words:?}: {}", ended.errors);
    }
}

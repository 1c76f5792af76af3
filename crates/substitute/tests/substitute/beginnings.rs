//! The settings of the library, its callers, and its behaviour if it cannot do what the settings say.

use std::io::Write;
use std::process::{Command, Stdio};

use locktoll_substitute::tally::Object;

use crate::support::{LIBRARY, program, run_in, same_under_all};

#[test]
fn old_names_go_where_those_of_today_go() {
    for (candidate, replaced) in same_under_all("old_names.c", &[]) {
        let replaced = replaced.counts.replaced(Object::Mutex);
        assert_eq!(replaced > 0, candidate.replaces, "{candidate:?}");
    }
}

#[test]
fn a_name_that_is_no_candidate_replaces_nothing_and_is_told() {
    let program = program("old_names.c");
    for name in ["tikcet", "", "futex3:", "ticket:1"] {
        let replaced = run_in(name, &program, &[], &[]);
        assert!(
            replaced.output.status.success(),
            "{name:?}: {:?}",
            replaced.output
        );
        assert_eq!(replaced.counts.failures, 1, "{name:?}");
        assert_eq!(replaced.counts.replaced(Object::Mutex), 0, "{name:?}");
    }
}

#[test]
fn a_name_that_is_no_candidate_is_named_in_one_line_by_each_program() {
    let program = program("old_names.c");
    let said = |command: &mut Command, name: &str| {
        let command = command.env("LD_PRELOAD", LIBRARY.as_os_str());
        let output = command.env("LOCKTOLL_LOCK", name).output();
        let output = output.expect("it starts");
        assert!(output.status.success(), "{name:?}: {output:?}");
        String::from_utf8(output.stderr).expect("text")
    };
    for name in ["tikcet", "", "futex3:", "ticket:1"] {
        let lines = said(&mut Command::new(&program), name);
        let begins = format!("locktoll: LOCKTOLL_LOCK={name}: ");
        assert!(lines.starts_with(&begins), "{name:?}: {lines}");
        assert!(lines.contains("locks stay as they are"), "{lines}");
        assert_eq!(lines.lines().count(), 1, "{lines}");
    }
    for name in ["pass-through", "futex3:100"] {
        assert_eq!(said(&mut Command::new(&program), name), "");
    }
}

#[test]
fn a_name_that_is_no_candidate_harms_no_program_that_cannot_be_told() {
    let program = program("old_names.c");
    let (reader, nobody_reads) = std::io::pipe().expect("a pipe");
    drop(reader);
    let (_nobody_reads_on, mut is_full) = std::io::pipe().expect("a pipe");
    rustix::io::ioctl_fionbio(&is_full, true).expect("it need not block");
    while is_full.write(&[0; 4096]).is_ok() {}
    rustix::io::ioctl_fionbio(&is_full, false).expect("it may block");
    for stderr in [nobody_reads, is_full] {
        let mut command = Command::new(&program);
        command.env("LD_PRELOAD", LIBRARY.as_os_str());
        command.stdout(Stdio::null());
        let status = command
            .env("LOCKTOLL_LOCK", "tikcet")
            .stderr(stderr)
            .status();
        assert!(status.as_ref().is_ok_and(|it| it.success()), "{status:?}");
    }
    let mut shell = Command::new("sh");
    shell
        .args(["-c", "LOCKTOLL_LOCK=tikcet exec \"$0\" 2>&-"])
        .arg(&program);
    shell.stdout(Stdio::null());
    let status = shell.env("LD_PRELOAD", LIBRARY.as_os_str()).status();
    assert!(status.as_ref().is_ok_and(|it| it.success()), "{status:?}");
}

#[test]
fn without_a_file_to_count_in_the_program_runs_as_ordered() {
    let program = program("old_names.c");
    let folder = tempfile::tempdir().expect("a folder");
    let short = folder.path().join("short");
    std::fs::write(&short, [0; 16]).expect("a file that is too short");
    let missing = folder.path().join("missing");
    for path in [&short, &missing, &folder.path().to_owned()] {
        let path = path.to_str().expect("a path that is text");
        let replaced = run_in("futex3", &program, &[], &[("LOCKTOLL_TALLY", path)]);
        assert!(
            replaced.output.status.success(),
            "{path}: {:?}",
            replaced.output
        );
        assert_eq!(
            replaced.counts.processes, 0,
            "{path}: nobody counts elsewhere"
        );
    }
    assert_eq!(std::fs::read(&short).expect("it is there"), [0; 16]);
    assert!(!missing.exists());
}

//! A test whose program is missing, from its question to the note, in a process of its own.
#![cfg(target_os = "linux")]

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use locktoll_needs::{EVERYTHING, any_program, programs};

/// Set for the test that is looked at; without it that test does nothing.
const LOOKED_AT: &str = "LOCKTOLL_NEEDS_LOOKED_AT";

const MISSING: &str = "no-such-program-anywhere";

#[test]
fn lacks_a_program() {
    if env::var_os(LOOKED_AT).is_none() {
        return;
    }
    assert!(programs(&["sh"]), "the shell is there");
    assert_eq!(any_program(&[MISSING, "sh"]), Some("sh"));
    if !programs(&["sh", MISSING]) {
        return;
    }
    panic!("it went on without the program");
}

/// The test above, run by this process with this value of [`EVERYTHING`], and what it noted.
fn look(everything: Option<&str>) -> (Output, String) {
    let mut test = Command::new(env::current_exe().unwrap());
    test.args(["--exact", "lacks_a_program", "--test-threads=2"])
        .env(LOOKED_AT, "1")
        .env_remove(EVERYTHING);
    if let Some(value) = everything {
        test.env(EVERYTHING, value);
    }
    let output = test.output().unwrap();
    let mut noted = String::new();
    // One file for each process that starts test programs: here, this one.
    for file in notes() {
        noted.push_str(&fs::read_to_string(&file).unwrap());
        fs::remove_file(file).unwrap();
    }
    (output, noted)
}

/// The files of notes of tests that this process has started.
fn notes() -> Vec<PathBuf> {
    let program = env::current_exe().unwrap();
    let folder = program.parent().unwrap().with_file_name("skipped-tests");
    let ours = format!("{}-", std::process::id());
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files
        .filter(|file| file.file_name().to_string_lossy().starts_with(&ours))
        .map(|file| file.path())
        .collect()
}

#[test]
fn a_missing_program_skips_its_test_or_fails_it() {
    for value in [None, Some("0")] {
        let (output, noted) = look(value);
        assert!(output.status.success(), "{output:?}");
        assert_eq!(
            noted,
            format!("skipping\tlacks_a_program\tno {MISSING}\n"),
            "{value:?}"
        );
    }
    let (output, noted) = look(Some("1"));
    assert!(!output.status.success(), "{output:?}");
    let said = String::from_utf8_lossy(&output.stdout);
    let reason = format!("no {MISSING} on this machine, and LOCKTOLL_TEST_EVERYTHING=1 asks");
    assert!(said.contains(&reason), "{said}");
    assert_eq!(noted, "", "a failure is not skipped as well");
}

//! A C program that links the locks and uses each of them, as the header's comment says.
#![cfg(all(not(locktoll_loom), target_os = "linux"))]

use locktoll_lock_checks::nested;

use std::env;
use std::path::Path;
use std::process::{Command, Output};

#[test]
fn a_c_program_can_use_every_lock() {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("c-api");
    succeeds(
        "the library is built",
        nested::cargo(env!("CARGO_MANIFEST_DIR"))
            .args([
                "rustc",
                "--lib",
                "--features",
                "c-api",
                "--crate-type",
                "staticlib",
            ])
            .arg("--target-dir")
            .arg(&target)
            .output(),
    );
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = target.join("contend");
    let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
    succeeds(
        "the program is compiled",
        Command::new(compiler)
            .args(["-Wall", "-Wextra", "-Werror", "-I"])
            .arg(package.join("include"))
            .arg(package.join("tests/c/contend.c"))
            .arg(target.join("debug/liblocktoll_locks.a"))
            .args(["-lpthread", "-ldl", "-lm", "-o"])
            .arg(&program)
            .output(),
    );
    let said = succeeds("the program counts right", Command::new(&program).output());
    assert_eq!(said, format!("{} kinds\n", kinds()));
}

/// How many locks there are on the crate's list.
fn kinds() -> usize {
    macro_rules! count {
        ($($lock:ident $name:literal,)+) => { [$($name),+].len() };
    }
    locktoll_locks::for_each_lock!(count)
}

#[track_caller]
fn succeeds(step: &str, run: std::io::Result<Output>) -> String {
    let run = run.unwrap_or_else(|error| panic!("{step}: {error}"));
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    let complained = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{step}:\n{said}\n{complained}");
    said
}

//! The objects of the header for C.
#![cfg(all(not(locktoll_loom), target_os = "linux"))]

use std::env;
use std::path::Path;
use std::process::{Command, Output};

/// The header's objects are as large as what they hold.
#[test]
fn objects_are_as_the_header_says() {
    fn layout<T>() -> String {
        format!("{} {}", size_of::<T>(), align_of::<T>())
    }
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("c-layout");
    let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
    succeeds(
        "the program is compiled",
        Command::new(compiler)
            .args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I"])
            .arg(package.join("include"))
            .arg(package.join("tests/c/layout.c"))
            .arg("-o")
            .arg(&program)
            .output(),
    );
    let said = succeeds("the program runs", Command::new(&program).output());
    let lines: Vec<&str> = said.lines().collect();
    let library = [
        layout::<tollgate::RawMutex>(),
        layout::<locktoll_waiting::Condition>(),
    ];
    assert_eq!(lines, library);
}

#[track_caller]
fn succeeds(step: &str, run: std::io::Result<Output>) -> String {
    let run = run.unwrap_or_else(|error| panic!("{step}: {error}"));
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    let complained = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{step}:\n{said}\n{complained}");
    said
}

//! Prints the tests that `cargo test --workspace` has skipped, each with the reason. It keeps their names for `cargo xtask
//! skipped-tests`. It is no test.
//!
//! Cargo runs test programs by the names of packages and then of targets, so this one must stay the last: it checks that no
//! other of its package comes after it. It has no harness, since libtest would not show what it prints.

use std::process::ExitCode;

use locktoll_needs::{list, notes};

/// This target's name.
const NAME: &str = "skipped";

fn main() -> ExitCode {
    // For those who ask every test program for its tests before they run them.
    if std::env::args().any(|word| word == "--list") {
        return ExitCode::SUCCESS;
    }
    let later = later_targets();
    if !later.is_empty() {
        eprintln!("xtask/tests: {later:?} would run after {NAME}, which must be the last by name");
        return ExitCode::FAILURE;
    }
    match notes::take() {
        Ok(notes) => {
            println!("\n{}\n", list::list(&notes));
            notes::keep(&notes).map_or_else(
                |error| {
                    eprintln!("which tests were skipped cannot be kept: {error}");
                    ExitCode::FAILURE
                },
                |()| ExitCode::SUCCESS,
            )
        }
        Err(error) => {
            eprintln!("which tests were skipped cannot be read: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The test targets of this package that cargo would run after this one.
fn later_targets() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    let names = std::fs::read_dir(folder).into_iter().flatten().flatten();
    names
        .filter_map(|entry| entry.path().file_stem()?.to_str().map(str::to_owned))
        .filter(|name| name.as_str() > NAME)
        .collect()
}

//! A program for `std::sync` is one for `tollgate` when one line is changed: the example is compiled as it is, and as it was.
#![cfg(all(not(locktoll_loom), target_os = "linux"))]

#[path = "../examples/drop_in.rs"]
#[expect(dead_code, reason = "its main")]
mod after;

use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn both_compute_the_same() {
    assert_eq!(after::sum_of_squares(1000, 4), 332_833_500);
}

/// The line's comment says how it was before. With that line, the compiler takes the program, too.
#[test]
fn one_line_is_all_that_changes() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/drop_in.rs");
    let after = fs::read_to_string(source).unwrap();
    let line = "use tollgate::poisoning::{Condvar, Mutex};";
    assert_eq!(after.matches("tollgate::").count(), 1);
    let before = after.replace(line, "use std::sync::{Condvar, Mutex};");
    assert_ne!(before, after);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("drop_in");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("before.rs"), before).unwrap();
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let compiled = Command::new(rustc)
        .args(["--edition", "2024", "-o", "before", "before.rs"])
        .current_dir(&folder)
        .status()
        .unwrap();
    assert!(compiled.success());
    let said = Command::new(folder.join("before")).output().unwrap().stdout;
    assert_eq!(String::from_utf8_lossy(&said), "332833500\n");
}

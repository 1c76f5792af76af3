//! Recordings and results of earlier versions, which `tests/kept` keeps: this version reads all of them, and finds in them what
//! was there.
#![cfg(target_os = "linux")]

mod recordings;
mod results;
mod widths;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Returns the path of a kept file.
fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/kept")
        .join(name)
}

/// Returns the names of the kept files with this ending, in order.
fn all(ending: &str) -> Vec<String> {
    let files = std::fs::read_dir(kept("")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(ending)).collect();
    names.sort();
    names
}

/// Runs the program, which must succeed without a word on standard error, and returns its output.
fn output(words: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_locktoll"))
        .args(words)
        .env("COLUMNS", "100")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words:?}: {said}");
    assert_eq!(said, "", "{words:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns a kept file as this version shows it to scripts.
fn document(name: &str) -> Value {
    let path = kept(name);
    serde_json::from_str(&output(&["report", &path.to_string_lossy(), "--json"])).unwrap()
}

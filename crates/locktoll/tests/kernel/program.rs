//! The binary, and programs that wait for known locks.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The built binary.
pub const LOCKTOLL: &str = env!("CARGO_BIN_EXE_locktoll");

/// Whether the kernel lets us trace; the test is skipped if not.
pub fn may_trace() -> bool {
    let tried = kernel(&["--duration", "10ms"]);
    match tried.status.code() {
        Some(0) => true,
        Some(3) => {
            locktoll_needs::refused(&text(&tried.stderr));
            false
        }
        other => panic!("{other:?}: {}", text(&tried.stderr)),
    }
}

/// `locktoll kernel` with these words, in a folder that is gone afterwards.
pub fn kernel(words: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(LOCKTOLL);
    command.arg("kernel").args(words).stdin(Stdio::null());
    command.current_dir(folder.path()).output().unwrap()
}

/// `locktoll kernel --json` with these words, which has to succeed: its document.
pub fn document(words: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kernel.json");
    let output = kernel(&[&["-o", file.to_str().unwrap()], words].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}

/// The row of a kind of lock.
pub fn kind<'d>(document: &'d Value, kind: &str) -> Option<&'d Value> {
    let mut kinds = document["kinds"].as_array().unwrap().iter();
    kinds.find(|row| row["kind"] == kind)
}

/// A number in a row.
pub fn number(row: Option<&Value>, field: &str) -> u64 {
    row.map_or(0, |row| row[field].as_u64().unwrap())
}

/// Builds `tests/programs/kernel_contention.c` under a name of its own, by which other tools find its threads.
pub fn contention(folder: &tempfile::TempDir, name: &str) -> PathBuf {
    let program = folder.path().join(name);
    let source = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/programs/kernel_contention.c"
    );
    let mut compiler = Command::new("cc");
    compiler.args(["-O1", "-pthread", "-Wall", "-Werror", source]);
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    locktoll_programs::copied(&compiler, &program, scratch)
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}

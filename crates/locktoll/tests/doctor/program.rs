//! The program, as it is or under another identity.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

/// What it said.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}

/// The program with these words.
pub fn locktoll(words: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_locktoll"))
        .args(words)
        .output();
    output.expect("the program was built")
}

/// The document that it printed, and nothing else.
pub fn document(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("exactly one JSON document")
}

/// The finding of this name.
pub fn finding<'a>(document: &'a Value, id: &str) -> &'a Value {
    let findings = document["findings"].as_array().unwrap();
    let found = findings.iter().find(|finding| finding["id"] == id);
    found.unwrap_or_else(|| panic!("no finding {id}: {document:#}"))
}

/// How far the verb works.
pub fn works<'a>(document: &'a Value, verb: &str) -> &'a str {
    let verbs = document["verbs"].as_array().unwrap();
    let found = verbs.iter().find(|it| it["verb"] == verb).unwrap();
    found["works"].as_str().unwrap()
}

/// What root finds, if root can trace here; else `None`, with the reason noted.
pub fn tracing_as_root() -> Option<Value> {
    let found = document(&locktoll(&["doctor", "--json"]));
    if works(&found, "kernel") == "not" {
        locktoll_needs::refused("not even this user can trace");
        return None;
    }
    Some(found)
}

/// A copy of the program where everybody may execute it.
pub struct Copy {
    folder: tempfile::TempDir,
}

impl Copy {
    /// Makes it, in a folder that goes when it does. `None`, with the reason noted, where other users cannot be had.
    pub fn for_others() -> Option<Self> {
        // SAFETY: geteuid takes nothing and always succeeds.
        if unsafe { libc::geteuid() } != 0 {
            locktoll_needs::refused("only root can become another user");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
        let copy = Self { folder };
        std::fs::copy(env!("CARGO_BIN_EXE_locktoll"), copy.path()).unwrap();
        Some(copy)
    }

    /// Its path.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("locktoll")
    }

    /// The same as text.
    pub fn name(&self) -> String {
        self.path().display().to_string()
    }

    /// Runs it with these words under a command that changes what it may do; `None`, with the reason noted, where that
    /// command is not to be had.
    pub fn under(&self, command: &[&str], words: &[&str]) -> Option<Output> {
        if !locktoll_needs::programs(&command[..1]) {
            return None;
        }
        let tried = Command::new(command[0])
            .args(&command[1..])
            .arg("true")
            .output()
            .unwrap();
        if !tried.status.success() {
            let why = format!("{}: {}", command.join(" "), text(&tried.stderr));
            locktoll_needs::refused(&why);
            return None;
        }
        let output = Command::new(command[0])
            .args(&command[1..])
            .arg(self.path())
            .args(words)
            // Where nobody may write, nothing is tried.
            .env("HOME", "/nonexistent")
            .env_remove("XDG_CACHE_HOME")
            .output();
        Some(output.unwrap())
    }
}

/// The command that makes its child nobody.
pub const NOBODY: [&str; 4] = [
    "setpriv",
    "--reuid=65534",
    "--regid=65534",
    "--clear-groups",
];

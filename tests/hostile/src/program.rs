//! What `record` and `try` look at before they start a program, compiled here from the verbs' own files (see `arguments`).

#[path = "../../../crates/verbs/src/run_program/program"]
mod inner {
    pub mod elf;
    pub mod runtime;
    pub mod script;
}

use std::fs::File;

use inner::{elf, script};

/// Reads `file`, which begins with `head`.
pub fn look_at(file: &File, head: &[u8]) {
    let _ = elf::image(file, head);
    if let Some(interpreter) = script::interpreter(head) {
        assert!(!interpreter.path.is_empty());
        let _ = script::program_of_env(&interpreter);
    }
}

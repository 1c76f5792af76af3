//! The version of this build of locktoll.

use std::sync::OnceLock;

static STAMPED: OnceLock<&'static str> = OnceLock::new();

/// Sets the version with its commit, once, at the start of the program.
///
/// Only the program's last crate knows the commit, so that a new commit does not rebuild anything else.
pub fn stamp(version: &'static str) {
    // A second stamp would come from the same program.
    let _ = STAMPED.set(version);
}

/// Returns the version that `--version` prints and that every result names: with its commit in the program, without it in a test.
pub fn version() -> &'static str {
    STAMPED.get().copied().unwrap_or(env!("CARGO_PKG_VERSION"))
}

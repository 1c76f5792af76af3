//! The version of this locktoll.

use std::sync::OnceLock;

static STAMPED: OnceLock<&'static str> = OnceLock::new();

/// Sets the version with its commit, once, where the program starts.
///
/// The program's last crate alone knows the commit, so that a new commit rebuilds nothing else.
pub fn stamp(version: &'static str) {
    // A second stamp would be of the same program.
    let _ = STAMPED.set(version);
}

/// The version that `--version` prints and that every result names: with its commit in the program, without one in a test.
pub fn version() -> &'static str {
    STAMPED.get().copied().unwrap_or(env!("CARGO_PKG_VERSION"))
}

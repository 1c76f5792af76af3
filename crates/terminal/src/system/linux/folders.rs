//! The user's folders.

use std::path::PathBuf;

/// The sources that [`states`] uses, for a message if they are not set.
pub const SAID_BY: &str = "neither XDG_STATE_HOME nor HOME is set";

/// Returns the folder where programs keep their state (XDG Base Directory Specification); `None` without a home.
pub fn states() -> Option<PathBuf> {
    let folder = |name: &str| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state")))
}

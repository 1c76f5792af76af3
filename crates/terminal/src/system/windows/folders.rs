//! The user's folders.

use std::path::PathBuf;

/// The source that [`states`] uses, for a message if it is not set.
pub const SAID_BY: &str = "LOCALAPPDATA is not set";

/// Returns the folder where programs keep their state (FOLDERID_LocalAppData, which the environment names).
pub fn states() -> Option<PathBuf> {
    std::env::var_os("LOCALAPPDATA")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
}

//! The user's folders.

use std::path::PathBuf;

/// What [`states`] goes by, for a message where there is none.
pub const SAID_BY: &str = "LOCALAPPDATA is not set";

/// Where programs keep what they go on from (FOLDERID_LocalAppData, which the system's environment names).
pub fn states() -> Option<PathBuf> {
    std::env::var_os("LOCALAPPDATA")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
}

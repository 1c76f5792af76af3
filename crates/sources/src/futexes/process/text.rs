//! Text of /proc.

use std::path::Path;
use std::{fs, io};

/// The text of a file that holds a name: whoever chose that may have chosen any bytes, which are then replaced.
///
/// # Errors
/// If the process or the thread is gone, or not ours to look at.
pub fn text(path: impl AsRef<Path>) -> io::Result<String> {
    let bytes = fs::read(path)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

//! The library, built as the main program embeds it.

use std::path::PathBuf;
use std::sync::LazyLock;

#[path = "../../../../tests/library.rs"]
mod build;

/// Its path.
pub static LIBRARY: LazyLock<PathBuf> =
    LazyLock::new(|| build::built("substitute", &["--features", "interpose"]));

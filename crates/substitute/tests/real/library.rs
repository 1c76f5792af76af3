//! The library, built as the main program embeds it.

use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

/// Its path.
pub static LIBRARY: LazyLock<PathBuf> = LazyLock::new(|| {
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("substitute-library");
    let status = Command::new(env!("CARGO"))
        .args(["rustc", "--quiet", "--package", "locktoll-substitute"])
        .args(["--features", "interpose", "--profile", "preload"])
        .args(["--lib", "--crate-type", "cdylib", "--target-dir"])
        .arg(&target)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()
        .expect("cargo runs");
    assert!(status.success(), "the library does not build");
    target.join("preload/liblocktoll_substitute.so")
});

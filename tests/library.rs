//! Builds a library that the program puts under other programs, as `crates/locktoll/build.rs` does: in the same folder, by the
//! same words. So whichever comes first builds it, and the others find it done. The tests of a library include this file.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds the library of the package `locktoll-FOLDER` and gives its path.
pub fn built(folder: &str, flags: &[&str]) -> PathBuf {
    // `libraries` of the build folder. The outer cargo does not lock it, and two tests that come here wait for each other.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("libraries");
    let system = format!("{}-unknown-linux-gnu", env::consts::ARCH);
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(folder)
        .join("Cargo.toml");
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args(["rustc", "--quiet", "--profile", "preload", "--lib"])
        .args(["--crate-type", "cdylib"])
        .args(flags)
        .arg("--manifest-path")
        .arg(&manifest)
        .args(["--target", &system, "--locked", "--target-dir"])
        .arg(&target)
        .env("CARGO_BUILD_BUILD_DIR", &target);
    // Flags and wrappers of the outer build are not for this library, and with them it would be another.
    for name in [
        "RUSTFLAGS",
        "CARGO_ENCODED_RUSTFLAGS",
        "CARGO_BUILD_RUSTFLAGS",
        "RUSTC_WRAPPER",
        "RUSTC_WORKSPACE_WRAPPER",
        "CARGO_BUILD_RUSTC_WRAPPER",
        "CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER",
        "CARGO_BUILD_TARGET",
        "CARGO_TARGET_DIR",
        "CARGO_BUILD_TARGET_DIR",
        "CARGO_INCREMENTAL",
    ] {
        cargo.env_remove(name);
    }
    let status = cargo.status().expect("cargo runs");
    assert!(status.success(), "the library of {folder} does not build");
    target
        .join(system)
        .join("preload")
        .join(format!("liblocktoll_{folder}.so"))
}

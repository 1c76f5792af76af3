//! The program and its libraries, built for old C libraries.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use super::symbols::OLDEST;

/// A built program.
pub struct Built {
    /// The program with its line tables.
    pub program: PathBuf,
    /// The libraries that it carries.
    pub libraries: Vec<PathBuf>,
}

/// Builds the program in the folder `tree` with zig's linker, whose stubs have the symbols of the oldest C library alone.
///
/// The names of folders stay out of the result: those of the tree, the build and cargo's packages are replaced by fixed ones.
pub fn build(tree: &Path, target: &Path, triple: &str) -> anyhow::Result<Built> {
    let home = match std::env::var_os("CARGO_HOME") {
        Some(home) => PathBuf::from(home),
        None => Path::new(&std::env::var_os("HOME").context("HOME is not set")?).join(".cargo"),
    };
    let map = |from: &Path, to: &str| format!("--remap-path-prefix={}={to}", from.display());
    let flags = [
        map(&home, "/cargo"),
        map(target, "/build"),
        map(tree, "/locktoll"),
    ]
    .join(" ");
    let status = Command::new("cargo-zigbuild")
        .args(["zigbuild", "--locked", "--profile", "dist"])
        .args(["--package", "locktoll", "--target"])
        .arg(format!("{triple}.{}.{}", OLDEST[0], OLDEST[1]))
        .arg("--target-dir")
        .arg(target)
        .current_dir(tree)
        .env("CARGO_INCREMENTAL", "0")
        .env("RUSTFLAGS", &flags)
        .env("LOCKTOLL_LIBRARY_RUSTFLAGS", &flags)
        .status()
        .context(
            "cannot start cargo-zigbuild: pip install cargo-zigbuild==0.24.1 ziglang==0.15.2",
        )?;
    ensure!(status.success(), "cargo zigbuild failed");
    let folder = target.join(triple);
    let built = folder.join("libraries").join(triple).join("preload");
    let libraries = ["liblocktoll_preload.so", "liblocktoll_substitute.so"];
    Ok(Built {
        program: folder.join("dist/locktoll"),
        libraries: libraries.iter().map(|name| built.join(name)).collect(),
    })
}

/// Writes the program without line tables, and a file with these alone, which debuggers and profilers find by its name.
pub fn split(program: &Path, stripped: &Path, debug: &Path) -> anyhow::Result<()> {
    let objcopy = |words: &[&str], files: &[&Path]| -> anyhow::Result<()> {
        let status = Command::new("objcopy")
            .args(words)
            .args(files)
            .status()
            .context("cannot start objcopy")?;
        ensure!(status.success(), "objcopy {words:?} failed");
        Ok(())
    };
    objcopy(&["--only-keep-debug"], &[program, debug])?;
    // The symbol table stays: with it, the program's own functions have names when it is profiled itself.
    objcopy(&["--strip-debug"], &[program, stripped])?;
    let link = format!("--add-gnu-debuglink={}", debug.display());
    objcopy(&[&link], &[stripped])?;
    fs::metadata(stripped).map(drop).context("no program")
}

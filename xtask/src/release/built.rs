//! Builds the program and its libraries, for old glibc and for musl.

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
pub fn build(tree: &Path, target: &Path, triple: &str) -> anyhow::Result<Built> {
    let oldest = format!("{triple}.{}.{}", OLDEST[0], OLDEST[1]);
    compile(tree, target, &oldest, &[])?;
    let folder = target.join(triple);
    let built = folder.join("libraries").join(triple).join("preload");
    let libraries = ["liblocktoll_preload.so", "liblocktoll_substitute.so"];
    Ok(Built {
        program: folder.join("dist/locktoll"),
        libraries: libraries.iter().map(|name| built.join(name)).collect(),
    })
}

/// Builds the program for musl, with the libraries that were `built` before: locktoll loads them into programs that use glibc.
pub fn build_static(
    tree: &Path,
    target: &Path,
    triple: &str,
    built: &Built,
) -> anyhow::Result<PathBuf> {
    let libraries = built.libraries[0].parent().context("no folder")?;
    let environment = [("LOCKTOLL_BUILT_LIBRARIES", libraries)];
    compile(tree, target, triple, &environment)?;
    Ok(target.join(triple).join("dist/locktoll"))
}

/// Compiles with cargo-zigbuild. The names of folders stay out of the result: those of the tree, the build and cargo's packages are
/// replaced by fixed ones.
fn compile(
    tree: &Path,
    target: &Path,
    triple: &str,
    environment: &[(&str, &Path)],
) -> anyhow::Result<()> {
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
        .args(["--package", "locktoll", "--target", triple])
        .arg("--target-dir")
        .arg(target)
        .current_dir(tree)
        .env("CARGO_INCREMENTAL", "0")
        .env("RUSTFLAGS", &flags)
        .env("LOCKTOLL_LIBRARY_RUSTFLAGS", &flags)
        .envs(environment.iter().copied())
        .status()
        .context(
            "cannot start cargo-zigbuild: pip install cargo-zigbuild==0.24.1 ziglang==0.15.2",
        )?;
    ensure!(
        status.success(),
        "cargo zigbuild failed; if it lacks the target: rustup target add {triple}"
    );
    Ok(())
}

/// Writes a stripped program that keeps locktoll's own function names, and a debug file with everything else. Debuggers find that file
/// through the link in the program.
pub fn split(program: &Path, stripped: &Path, debug: &Path) -> anyhow::Result<()> {
    let run = |name: &str, words: &[&str], files: &[&Path]| -> anyhow::Result<Vec<u8>> {
        let output = Command::new(name)
            .args(words)
            .args(files)
            .output()
            .with_context(|| format!("cannot start {name}"))?;
        ensure!(
            output.status.success(),
            "{name} {words:?} failed: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(output.stdout)
    };
    run("objcopy", &["--only-keep-debug"], &[program, debug])?;
    // The program's own functions keep their names: it is profiled itself, by the tour.
    let names = run("nm", &["--format=just-symbols"], &[program])?;
    let own: String = String::from_utf8_lossy(&names)
        .lines()
        .filter(|name| name.contains("locktoll"))
        .map(|name| format!("{name}\n"))
        .collect();
    ensure!(!own.is_empty(), "{} has no names", program.display());
    let mut kept = tempfile::NamedTempFile::new()?;
    std::io::Write::write_all(&mut kept, own.as_bytes())?;
    let kept = format!("--keep-symbols={}", kept.path().display());
    run("objcopy", &["--strip-all", &kept], &[program, stripped])?;
    let link = format!("--add-gnu-debuglink={}", debug.display());
    run("objcopy", &[&link], &[stripped])?;
    fs::metadata(stripped).map(drop).context("no program")
}

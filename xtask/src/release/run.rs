//! `cargo xtask release VERSION`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, ensure};

use super::packed::Packed;
use super::{archive, bill, built, installed, packed, symbols};
use crate::build::top;
use crate::package;

/// The architecture of the archives. The libraries contain assembly, and their tests run on the machine that builds.
const TRIPLE: &str = "x86_64-unknown-linux-gnu";
/// The same for a program that needs no C library: for systems with musl, and for containers with nothing else in them.
const STATIC: &str = "x86_64-unknown-linux-musl";
/// Bytes that the installed program and the archive may have.
const PROGRAM_LIMIT: u64 = 25_000_000;
const ARCHIVE_LIMIT: u64 = 12_000_000;

/// Builds, checks and packs a release into `target/release-VERSION`.
pub fn run(wishes: &[&str]) -> anyhow::Result<()> {
    let (version, options) = wishes
        .split_first()
        .context("release takes a version, --trial and --twice")?;
    for option in options {
        ensure!(
            ["--trial", "--twice"].contains(option),
            "release takes a version, --trial to pack one that CHANGELOG.md calls unreleased, and --twice to compare two builds, \
             not {option}"
        );
    }
    let changes = fs::read_to_string(top().join("CHANGELOG.md"))?;
    check_version(version, &changes, options.contains(&"--trial"))?;
    let sums = made(version, &top().join(format!("target/release-{version}")))?;
    if options.contains(&"--twice") {
        let again = tempfile::tempdir_in(top().join("target"))?;
        let second = made(version, again.path())?;
        ensure!(
            sums == second,
            "the second build is not equal to the first one:\n{second}"
        );
        println!("two builds in two folders are equal, byte for byte");
    }
    print!("{sums}");
    Ok(())
}

/// Makes all files of a release in a folder. Returns their sums.
fn made(version: &str, folder: &Path) -> anyhow::Result<String> {
    let seconds = time()?;
    let mut clock = Instant::now();
    let mut took = || {
        let took = clock.elapsed().as_secs_f64();
        clock = Instant::now();
        took
    };
    let tree = folder.join("tree");
    package::staged(&tree)?;
    let build = folder.join("build");
    let built = built::build(&tree, &build, TRIPLE)?;
    for file in built.libraries.iter().chain([&built.program]) {
        symbols::check(file)?;
    }
    println!("compiled in {:.0} s", took());
    let alone = built::build_static(&tree, &build, STATIC, &built)?;
    println!("compiled the static program in {:.0} s", took());

    let name = format!("locktoll-{version}-x86_64-linux");
    let dynamic = packed::pack(&tree, &built.program, &name, &[], folder, seconds)?;
    let name = format!("{name}-static");
    let container = [
        "deploy/Containerfile",
        "deploy/kubernetes/daemonset.yaml",
        "deploy/kubernetes/seccomp.json",
    ];
    let alone = packed::pack(&tree, &alone, &name, &container, folder, seconds)?;
    let packages = installed::pack(&tree, &dynamic, version, folder, seconds)?;
    let materials = folder.join(format!("locktoll-{version}.cdx.json"));
    bill::write(&tree, TRIPLE, seconds, &materials)?;
    println!("packed in {:.0} s", took());

    for Packed {
        program, archive, ..
    } in [&dynamic, &alone]
    {
        within(program, PROGRAM_LIMIT)?;
        within(archive, ARCHIVE_LIMIT)?;
    }
    let files = [
        &dynamic.archive,
        &dynamic.debug,
        &alone.archive,
        &alone.debug,
        &packages.deb,
        &packages.rpm,
        &materials,
    ];
    let sums: String = files
        .iter()
        .map(|file| archive::sum(file))
        .collect::<Result<_, _>>()?;
    for file in [
        &dynamic.debug,
        &alone.debug,
        &packages.deb,
        &packages.rpm,
        &materials,
    ] {
        within(file, u64::MAX)?;
    }
    fs::write(folder.join("SHA256SUMS"), &sums)?;
    Ok(sums)
}

/// Checks the version against that of the workspace, and that CHANGELOG.md has a heading for it.
fn check_version(version: &str, changes: &str, trial: bool) -> anyhow::Result<()> {
    let own = env!("CARGO_PKG_VERSION");
    ensure!(
        version == own,
        "the crates have version {own}, not {version}: change Cargo.toml first"
    );
    let heading = changes.lines().find(|line| {
        line.strip_prefix("## ")
            .and_then(|line| line.split(' ').next())
            == Some(version)
    });
    let heading = heading.with_context(|| format!("CHANGELOG.md has no heading `## {version}`"))?;
    ensure!(
        trial || !heading.contains("unreleased"),
        "CHANGELOG.md says `{heading}`: write the date there, or pass --trial"
    );
    Ok(())
}

/// The time of all files in the archive: SOURCE_DATE_EPOCH, or that of the last commit.
fn time() -> anyhow::Result<u64> {
    if let Ok(seconds) = std::env::var("SOURCE_DATE_EPOCH") {
        return seconds
            .parse()
            .context("SOURCE_DATE_EPOCH is not a number of seconds");
    }
    let output = Command::new("git")
        .args(["log", "-1", "--format=%ct"])
        .current_dir(top())
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim()
        .parse()
        .context("git does not know the last commit's time")
}

/// Prints the size of a file, and refuses one that is over its limit.
fn within(file: &Path, limit: u64) -> anyhow::Result<()> {
    let size = fs::metadata(file)?.len();
    let shown: PathBuf = file.strip_prefix(top()).unwrap_or(file).to_owned();
    println!("{:.1} MB  {}", size as f64 / 1e6, shown.display());
    ensure!(
        size <= limit,
        "{} has {size} bytes; the limit is {limit}",
        shown.display()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_needs_its_heading_and_a_date() {
        let own = env!("CARGO_PKG_VERSION");
        let released = format!("# Changelog\n\n## {own} (2027-01-01)\n");
        check_version(own, &released, false).unwrap();
        let unreleased = format!("## {own} (unreleased)\n");
        assert!(check_version(own, &unreleased, false).is_err());
        check_version(own, &unreleased, true).unwrap();
        assert!(check_version("9.9.9", &released, false).is_err());
        assert!(check_version(own, "## 9.9.9 (2027-01-01)\n", false).is_err());
    }
}

//! `cargo xtask release VERSION`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, bail, ensure};

use super::{archive, built, symbols};
use crate::build::top;
use crate::{package, pages};

/// The architecture of the archive. The libraries contain assembly, and their tests run on the machine that builds.
const TRIPLE: &str = "x86_64-unknown-linux-gnu";
/// Bytes that the installed program and the archive may have.
const PROGRAM_LIMIT: u64 = 25_000_000;
const ARCHIVE_LIMIT: u64 = 12_000_000;

/// Builds, checks and packs a release into `target/release-VERSION`.
pub fn run(wishes: &[&str]) -> anyhow::Result<()> {
    let (version, trial) = match wishes {
        [version] => (*version, false),
        [version, "--trial"] => (*version, true),
        _ => bail!(
            "release takes a version, and --trial to pack one that CHANGELOG.md calls unreleased"
        ),
    };
    let changes = fs::read_to_string(top().join("CHANGELOG.md"))?;
    check_version(version, &changes, trial)?;
    let started = Instant::now();
    let folder = top().join(format!("target/release-{version}"));
    let tree = folder.join("tree");
    package::staged(&tree)?;
    let built = built::build(&tree, &folder.join("build"), TRIPLE)?;
    for file in built.libraries.iter().chain([&built.program]) {
        symbols::check(file)?;
    }
    let compiled = started.elapsed();

    let name = format!("locktoll-{version}-x86_64-linux");
    let content = folder.join("content").join(&name);
    if content.exists() {
        fs::remove_dir_all(&content)?;
    }
    fs::create_dir_all(&content)?;
    let debug = folder.join(format!("{name}.debug"));
    let program = content.join("locktoll");
    built::split(&built.program, &program, &debug)?;
    for file in [
        "README.md",
        "CHANGELOG.md",
        "LICENSE-MIT",
        "LICENSE-APACHE",
        "THIRD-PARTY.md",
    ] {
        fs::copy(tree.join(file), content.join(file))?;
    }
    pages::write(&program, &content.join("share"))?;
    let packed = folder.join(format!("{name}.tar.xz"));
    archive::pack(&folder.join("content"), &name, time()?, &packed)?;
    let files = [&packed, &debug];
    let sums: String = files
        .iter()
        .map(|file| archive::sum(file))
        .collect::<Result<_, _>>()?;
    fs::write(folder.join("SHA256SUMS"), &sums)?;

    println!(
        "compiled in {:.0} s, packed in {:.0} s",
        compiled.as_secs_f64(),
        (started.elapsed() - compiled).as_secs_f64()
    );
    within(&program, PROGRAM_LIMIT)?;
    within(&packed, ARCHIVE_LIMIT)?;
    within(&debug, u64::MAX)?;
    print!("{sums}");
    Ok(())
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

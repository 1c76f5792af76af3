//! The packages for Debian and for RPM, by cargo-deb and cargo-generate-rpm, as the manifest of the crate `locktoll` describes them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use super::packed::Packed;
use crate::package;

/// The packages.
pub struct Packages {
    /// For Debian.
    pub deb: PathBuf,
    /// For distributions with RPM.
    pub rpm: PathBuf,
}

/// Packs the program that was packed in an archive. The manifest in `tree` names the files by the folder `installed` next to it.
pub fn pack(
    tree: &Path,
    packed: &Packed,
    version: &str,
    folder: &Path,
    seconds: u64,
) -> anyhow::Result<Packages> {
    let manifest = tree.join("crates/locktoll");
    let installed = manifest.join("installed");
    package::emptied(&installed)?;
    copy(&packed.content, &installed)?;
    copy(&tree.join("deploy"), &installed)?;
    let changelog = installed.join("changelog");
    fs::write(
        &changelog,
        format!(
            "locktoll ({version}) unstable; urgency=medium\n\n  * See CHANGELOG.md in this folder.\n\n -- {}  {}\n",
            maintainer(&manifest)?,
            date(seconds)?
        ),
    )?;
    let packed = Command::new("gzip")
        .args(["-9", "--no-name"])
        .arg(&changelog)
        .status()
        .context("cannot start gzip")?;
    ensure!(packed.success(), "gzip failed");
    let packages = Packages {
        deb: folder.join(format!("locktoll_{version}_amd64.deb")),
        rpm: folder.join(format!("locktoll-{version}-1.x86_64.rpm")),
    };
    let run = |words: &[&str], output: &Path, needs: &str| -> anyhow::Result<()> {
        let status = Command::new(env!("CARGO"))
            .args(words)
            .arg("--output")
            .arg(output)
            .current_dir(&manifest)
            .env("SOURCE_DATE_EPOCH", seconds.to_string())
            .status()?;
        ensure!(
            status.success(),
            "cargo {} failed: cargo install --locked {needs}",
            words[0]
        );
        Ok(())
    };
    run(
        &[
            "deb",
            "--quiet",
            "--no-build",
            "--no-strip",
            "--no-separate-debug-symbols",
            "--deb-version",
            version,
        ],
        &packages.deb,
        "cargo-deb",
    )?;
    run(
        // Distributions with glibc 2.17 do not know zstd.
        &[
            "generate-rpm",
            "--payload-compress",
            "xz",
            "--source-date",
            &seconds.to_string(),
        ],
        &packages.rpm,
        "cargo-generate-rpm",
    )?;
    Ok(packages)
}

/// Returns the maintainer that the manifest in a folder names.
fn maintainer(folder: &Path) -> anyhow::Result<String> {
    let manifest: toml::Table = toml::from_str(&fs::read_to_string(folder.join("Cargo.toml"))?)?;
    let maintainer = manifest["package"]["metadata"]["deb"]["maintainer"].as_str();
    Ok(maintainer
        .context("the manifest names no maintainer")?
        .to_owned())
}

/// Copies what is in a folder into another one.
fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy(&entry.path(), &to)?,
            false => drop(fs::copy(entry.path(), to)?),
        }
    }
    Ok(())
}

/// A time as Debian's changelogs have it.
fn date(seconds: u64) -> anyhow::Result<String> {
    let output = Command::new("date")
        .args(["--utc", "--rfc-email", "--date"])
        .arg(format!("@{seconds}"))
        .env("LC_ALL", "C")
        .output()?;
    ensure!(output.status.success(), "date failed");
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

//! A folder of packages that takes the place of crates.io: the published crates as cargo has packed them, and all packages that
//! they depend on.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};
use sha2::{Digest, Sha256};

use super::tree::emptied;

/// Makes the folder `source` from the packages in `packed`, and those that the copied `tree` locks.
pub fn make(tree: &Path, packed: &Path, source: &Path) -> anyhow::Result<()> {
    emptied(source)?;
    let vendored = Command::new(env!("CARGO"))
        .args(["vendor", "--locked", "--versioned-dirs", "--quiet"])
        .arg(source)
        .current_dir(tree)
        .output()?;
    ensure!(
        vendored.status.success(),
        "cargo vendor failed: {}",
        String::from_utf8_lossy(&vendored.stderr).trim()
    );
    for entry in fs::read_dir(packed)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "crate") {
            unpack(&path, source)?;
        }
    }
    Ok(())
}

/// Unpacks a package next to the others, with the sum that cargo compares with the one in the lock.
fn unpack(package: &Path, source: &Path) -> anyhow::Result<()> {
    let bytes = fs::read(package)?;
    let sum: String = Sha256::digest(&bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let status = Command::new("tar")
        .arg("-xzf")
        .arg(package)
        .arg("-C")
        .arg(source)
        .status()
        .context("cannot start tar")?;
    ensure!(status.success(), "tar cannot unpack {}", package.display());
    let folder = source.join(package.file_stem().context("a package without a name")?);
    let sums = serde_json::json!({ "files": {}, "package": sum });
    fs::write(folder.join(".cargo-checksum.json"), sums.to_string())?;
    Ok(())
}

/// Makes the folder `home`, in which a cargo has its settings: it knows no other packages than those of `source`.
pub fn home(home: &Path, source: &Path) -> anyhow::Result<()> {
    emptied(home)?;
    let settings = format!(
        "[source.crates-io]\nreplace-with = \"packed\"\n\n[source.packed]\ndirectory = {:?}\n\n[net]\noffline = true\n",
        source.to_string_lossy()
    );
    fs::write(home.join("config.toml"), settings)?;
    Ok(())
}

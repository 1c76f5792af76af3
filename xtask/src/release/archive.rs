//! The archive, packed so that the same files give the same bytes.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use sha2::{Digest, Sha256};

/// Packs the folder `name` below `parent` into `archive`: sorted names, one time and one owner for all of them, and one thread of
/// xz, whose result does not depend on the number of CPUs.
pub fn pack(parent: &Path, name: &str, seconds: u64, archive: &Path) -> anyhow::Result<()> {
    let mut tar = Command::new("tar")
        .args(["--create", "--format=gnu", "--sort=name", "--numeric-owner"])
        .args(["--owner=0", "--group=0", "--mode=u+rw,go=rX"])
        .arg(format!("--mtime=@{seconds}"))
        .arg("--directory")
        .arg(parent)
        .arg(name)
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start tar")?;
    let input = tar.stdout.take().context("no pipe")?;
    let packed = Command::new("xz")
        .args(["-9", "--threads=1", "--stdout"])
        .stdin(input)
        .stdout(fs::File::create(archive)?)
        .status()
        .context("cannot start xz")?;
    ensure!(tar.wait()?.success(), "tar failed");
    ensure!(packed.success(), "xz failed");
    Ok(())
}

/// Returns the line of `sha256sum` for a file.
pub fn sum(file: &Path) -> anyhow::Result<String> {
    let bytes = fs::read(file)?;
    let sum: String = Sha256::digest(&bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let name = file.file_name().context("no name")?.to_string_lossy();
    Ok(format!("{sum}  {name}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_other_times_and_orders_give_the_same_bytes() {
        if !locktoll_needs::programs(&["tar", "xz"]) {
            return;
        }
        let packed = |order: [&str; 2]| {
            let folder = tempfile::tempdir().unwrap();
            let inner = folder.path().join("inner");
            fs::create_dir(&inner).unwrap();
            for name in order {
                fs::write(inner.join(name), name).unwrap();
            }
            let archive = folder.path().join("x.tar.xz");
            pack(folder.path(), "inner", 1_700_000_000, &archive).unwrap();
            fs::read(archive).unwrap()
        };
        assert_eq!(packed(["a", "b"]), packed(["b", "a"]));
    }
}

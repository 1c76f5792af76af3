//! A copy of the checkout under `target/loop`, with a build folder and a history of its own: what is changed there disturbs
//! nobody's work and nobody's builds.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use crate::build::top;

pub struct Tree {
    /// Its own checkout.
    pub folder: PathBuf,
    /// What is built of it.
    pub target: PathBuf,
    /// The output of each command.
    pub logs: PathBuf,
}

impl Tree {
    /// Makes the copy what the checkout is. Files that are the same already keep their times, so that what was built of them
    /// stays good.
    pub fn synchronised() -> anyhow::Result<Tree> {
        let own = top().join("target/loop");
        let tree = Tree {
            folder: own.join("checkout"),
            target: own.join("built"),
            logs: own.join("logs"),
        };
        fs::create_dir_all(&tree.logs)?;
        if !tree.folder.join(".git").exists() {
            let words = ["clone", "--quiet", "--shared", "--no-checkout", "."];
            git(top(), &[&words[..], &[path(&tree.folder)?]].concat())?;
        }
        let wanted = files(top())?;
        for old in files(&tree.folder)?.difference(&wanted) {
            fs::remove_file(tree.folder.join(old)).ok();
        }
        for file in &wanted {
            copy_if_changed(&top().join(file), &tree.folder.join(file))?;
        }
        git(&tree.folder, &["add", "--all"])?;
        tree.commit("The checkout as it is measured")?;
        Ok(tree)
    }

    /// A new commit, and with it a new hash.
    pub fn commit(&self, subject: &str) -> anyhow::Result<()> {
        let author = ["-c", "user.name=loop", "-c", "user.email=loop@localhost"];
        let words = [
            "commit",
            "--quiet",
            "--allow-empty",
            "--no-verify",
            "-m",
            subject,
        ];
        git(&self.folder, &[&author[..], &words[..]].concat()).map(drop)
    }

    /// Forgets everything that was built.
    pub fn clean(&self) -> anyhow::Result<()> {
        match fs::remove_dir_all(&self.target) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }
}

fn copy_if_changed(from: &Path, to: &Path) -> anyhow::Result<()> {
    let contents = fs::read(from).with_context(|| format!("cannot read {}", from.display()))?;
    if fs::read(to).is_ok_and(|old| old == contents) {
        return Ok(());
    }
    fs::create_dir_all(to.parent().context("a file has a folder")?)?;
    fs::copy(from, to).with_context(|| format!("cannot write {}", to.display()))?;
    // A copy has the time of the original on some systems; cargo looks for what is newer than its builds.
    let file = fs::File::options().write(true).open(to)?;
    Ok(file.set_modified(std::time::SystemTime::now())?)
}

/// Files that belong to a checkout and are there, committed or not.
fn files(checkout: &Path) -> anyhow::Result<BTreeSet<PathBuf>> {
    let words = [
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ];
    let listed = git(checkout, &words)?;
    let files = listed.split('\0').filter(|name| !name.is_empty());
    let files = files.map(PathBuf::from);
    Ok(files.filter(|file| checkout.join(file).is_file()).collect())
}

fn path(path: &Path) -> anyhow::Result<&str> {
    path.to_str().context("the checkout's path is not UTF-8")
}

fn git(folder: &Path, words: &[&str]) -> anyhow::Result<String> {
    let output = Command::new("git")
        .args(words)
        .current_dir(folder)
        .output()
        .context("git does not start")?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "git {}: {errors}", words.join(" "));
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_the_same_keeps_its_time() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("deep/to"));
        fs::write(&from, "one").unwrap();
        copy_if_changed(&from, &to).unwrap();
        let old = std::time::SystemTime::UNIX_EPOCH;
        fs::File::options()
            .write(true)
            .open(&to)
            .unwrap()
            .set_modified(old)
            .unwrap();

        copy_if_changed(&from, &to).unwrap();
        assert_eq!(fs::metadata(&to).unwrap().modified().unwrap(), old);

        fs::write(&from, "two").unwrap();
        copy_if_changed(&from, &to).unwrap();
        assert_ne!(fs::metadata(&to).unwrap().modified().unwrap(), old);
        assert_eq!(fs::read(&to).unwrap(), b"two");
    }
}

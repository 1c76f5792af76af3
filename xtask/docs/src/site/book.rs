//! `cargo xtask site`: writes the book, and lets mdBook make the site of it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use super::{built, sources};
use crate::pages::root;

/// The program that makes the site. It is called and not linked: few builds need it, and it is as large as all of xtask.
const MDBOOK: &str = "mdbook";

/// Makes the site in `folder`, `target/site` if none is given.
///
/// # Errors
/// If mdBook is not installed or fails, or a link of the finished site leads nowhere.
pub fn run(folder: Option<&Path>) -> anyhow::Result<()> {
    let root = root();
    let site = folder.map_or_else(|| root.join("target/site"), Path::to_owned);
    let site = std::path::absolute(site)?;
    let scratch = tempfile::tempdir()?;
    let pages = sources::write(&root, scratch.path())?;
    build(scratch.path(), &site)?;
    let faults = built::faults(&site)?;
    if !faults.is_empty() {
        bail!("these links lead nowhere:\n  {}", faults.join("\n  "));
    }
    println!(
        "{} pages; begin at {}",
        pages.len(),
        site.join("index.html").display()
    );
    Ok(())
}

/// Runs mdBook on the book in `folder`.
fn build(folder: &Path, site: &PathBuf) -> anyhow::Result<()> {
    let output = Command::new(MDBOOK)
        .arg("build")
        .arg(folder)
        .arg("--dest-dir")
        .arg(site)
        .output();
    let output = match output {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => bail!(
            "mdbook is not installed; install it with `cargo install --locked mdbook --no-default-features --features search`"
        ),
        output => output.context("cannot start mdbook")?,
    };
    if !output.status.success() {
        bail!("mdbook: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(())
}

//! One program as an archive: stripped, with its manual pages, its completion scripts and the licences.

use std::fs;
use std::path::{Path, PathBuf};

use super::{archive, built};
use crate::{package, pages};

/// Files of the checkout that every archive has.
const DOCUMENTS: [&str; 5] = [
    "README.md",
    "CHANGELOG.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "THIRD-PARTY.md",
];

/// A program that is packed.
pub struct Packed {
    /// The folder with what the archive has.
    pub content: PathBuf,
    /// The stripped program, in that folder.
    pub program: PathBuf,
    /// The archive.
    pub archive: PathBuf,
    /// The debug file, with the symbols that were stripped.
    pub debug: PathBuf,
}

/// Packs a program into `folder/NAME.tar.xz`, with the documents of the tree and `further` files of it. All files have the time `seconds`.
pub fn pack(
    tree: &Path,
    program: &Path,
    name: &str,
    further: &[&str],
    folder: &Path,
    seconds: u64,
) -> anyhow::Result<Packed> {
    let parent = folder.join("content");
    let content = parent.join(name);
    package::emptied(&content)?;
    let packed = Packed {
        program: content.join("locktoll"),
        archive: folder.join(format!("{name}.tar.xz")),
        debug: folder.join(format!("{name}.debug")),
        content,
    };
    built::split(program, &packed.program, &packed.debug)?;
    for file in DOCUMENTS.iter().chain(further) {
        let from = tree.join(file);
        fs::copy(
            &from,
            packed.content.join(from.file_name().unwrap_or_default()),
        )?;
    }
    pages::write(&packed.program, &packed.content.join("share"))?;
    archive::pack(&parent, name, seconds, &packed.archive)?;
    Ok(packed)
}

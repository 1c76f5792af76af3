//! The pages of the site, and the files that they link to.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::links::links;
use crate::pages::plain;

/// The files of a site that come from the checkout.
#[derive(Debug, Default)]
pub struct Gathered {
    /// The pages.
    pub pages: BTreeSet<PathBuf>,
    /// Pictures, programs and other files to which a page links.
    pub files: BTreeSet<PathBuf>,
    /// Folders to which a page links.
    pub folders: BTreeSet<PathBuf>,
}

/// Follows the links from these pages to everything that they need.
///
/// # Errors
/// If a page cannot be read.
pub fn gather(root: &Path, from: Vec<PathBuf>) -> anyhow::Result<Gathered> {
    let mut gathered = Gathered::default();
    let mut left = from;
    while let Some(page) = left.pop() {
        if !gathered.pages.insert(page.clone()) {
            continue;
        }
        let text = std::fs::read_to_string(root.join(&page))
            .with_context(|| format!("cannot read {}", page.display()))?;
        for link in links(&text) {
            let (file, _) = link.parts();
            if link.leads_out() || file.is_empty() {
                continue;
            }
            let target = plain(&page.parent().unwrap_or(Path::new("")).join(file));
            let path = root.join(&target);
            if path.is_dir() {
                gathered.folders.insert(target);
            } else if target.extension().is_some_and(|it| it == "md") && path.exists() {
                left.push(target);
            } else if path.exists() {
                gathered.files.insert(target);
            }
        }
    }
    Ok(gathered)
}

/// Returns the title of a page: its first heading, without marks.
pub fn title(text: &str) -> String {
    let heading = text.lines().find_map(|line| line.strip_prefix("# "));
    heading.unwrap_or("Untitled").replace('`', "")
}

/// Returns the path of a page in the site: mdBook serves `README.md` as `index.html`, but leads links to `README.html`.
pub fn of_site(page: &Path) -> PathBuf {
    match page.file_name().is_some_and(|name| name == "README.md") {
        true => page.with_file_name("index.md"),
        false => page.to_owned(),
    }
}

//! The sources of the site: a folder that mdBook takes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::chapters::{Made, placed, summary};
use super::gather::{Gathered, gather, of_site, title};
use super::refusals::{SNAPSHOT, refusals};
use super::schemas;
use crate::links::links;

/// The folder of the pages below the folder of the book.
pub const SOURCE: &str = "src";

const BOOK: &str = r#"[book]
title = "locktoll"
description = "What locks and context switches cost, why, and what would make them cheaper"
language = "en"
src = "src"

[output.html]
no-section-label = true
default-theme = "light"
preferred-dark-theme = "ayu"

[output.html.fold]
enable = true
level = 0

[output.html.search]
limit-results = 30
"#;

/// Writes the book into `folder`, which is made, and returns its pages.
///
/// # Errors
/// If a page of the checkout cannot be read, or the folder cannot be written.
pub fn write(root: &Path, folder: &Path) -> anyhow::Result<BTreeSet<PathBuf>> {
    let source = folder.join(SOURCE);
    let gathered = gather(root, first_pages(root)?)?;
    let made = write_made(root, &source)?;
    for page in &gathered.pages {
        let text = read(root, page)?;
        put(
            &source,
            &of_site(page),
            page_of_site(&gathered, page, &text).as_bytes(),
        )?;
    }
    for file in &gathered.files {
        let path = root.join(file);
        let bytes =
            std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        put(&source, file, &bytes)?;
    }
    let placed = placed(root);
    let more = gathered.pages.iter().filter(|page| !placed.contains(page));
    let more = more.map(|page| Ok((title(&read(root, page)?), page.clone())));
    let more: Vec<(String, PathBuf)> = more.collect::<anyhow::Result<_>>()?;
    put(
        &source,
        Path::new("SUMMARY.md"),
        summary(root, &made, &more).as_bytes(),
    )?;
    put(folder, Path::new("book.toml"), BOOK.as_bytes())?;
    let made = made.into_iter().flat_map(|made| made.pages);
    let pages = gathered.pages.iter().map(|page| of_site(page));
    Ok(pages.chain(made.map(|(_, path)| path)).collect())
}

/// Returns the pages with a place, and every page of `docs`.
fn first_pages(root: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut pages = placed(root);
    for entry in std::fs::read_dir(root.join("docs"))? {
        let path = Path::new("docs").join(entry?.file_name());
        if path.extension().is_some_and(|it| it == "md") && !pages.contains(&path) {
            pages.push(path);
        }
    }
    Ok(pages)
}

/// Writes the pages that are made of what the program says.
fn write_made(root: &Path, source: &Path) -> anyhow::Result<Vec<Made>> {
    let mut below_refusals = Vec::new();
    for refusal in refusals(&read(root, Path::new(SNAPSHOT))?)? {
        put(source, &refusal.path(), refusal.page().as_bytes())?;
        below_refusals.push((refusal.title(), refusal.path()));
    }
    let mut below_schemas = Vec::new();
    for page in schemas::pages(root)? {
        put(source, &page.path, page.text.as_bytes())?;
        below_schemas.push((page.title, page.path));
    }
    // Their own pages link to the schemas.
    for entry in std::fs::read_dir(root.join("docs/schemas"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|it| it == "json") {
            let name = Path::new("docs/schemas").join(path.file_name().unwrap_or_default());
            put(source, &name, &std::fs::read(&path)?)?;
        }
    }
    Ok(vec![
        Made {
            below: "docs/exit-codes.md",
            pages: below_refusals,
        },
        Made {
            below: "docs/schemas/README.md",
            pages: below_schemas,
        },
    ])
}

/// Returns the page as the site has it: a link to a folder of the sources, which the site does not have, becomes its words, and
/// a link to a `README.md` leads to the page of the site.
fn page_of_site(gathered: &Gathered, page: &Path, text: &str) -> String {
    let mut site = text.to_owned();
    for link in links(text).into_iter().rev() {
        let (file, _) = link.parts();
        if link.leads_out() || file.is_empty() {
            continue;
        }
        let target = crate::pages::plain(&page.parent().unwrap_or(Path::new("")).join(file));
        let written = &text[link.place.clone()];
        if of_site(&target) != target
            && let Some((words, led)) = written.rsplit_once("](")
        {
            let led = led.replacen("README.md", "index.md", 1);
            site.replace_range(link.place.clone(), &format!("{words}]({led}"));
        }
        if !gathered.folders.contains(&target) {
            continue;
        }
        if let Some((words, _)) = written
            .strip_prefix('[')
            .and_then(|it| it.rsplit_once("]("))
        {
            site.replace_range(link.place.clone(), words);
        }
    }
    site
}

fn read(root: &Path, page: &Path) -> anyhow::Result<String> {
    let path = root.join(page);
    std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
}

fn put(folder: &Path, name: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let path = folder.join(name);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

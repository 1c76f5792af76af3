//! The links of a page. No network is used: what leads out of the workspace is not followed.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Parser, Tag};

use crate::headings::{anchors, options};
use crate::pages::plain;

/// A link or picture of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// As written: `../README.md#install`.
    pub target: String,
    /// The line in the page, from 1.
    pub line: usize,
    /// The bytes of the whole link in the page.
    pub place: Range<usize>,
}

impl Link {
    /// Whether it leads out of the workspace.
    pub fn leads_out(&self) -> bool {
        self.target.contains("://") || self.target.starts_with("mailto:")
    }

    /// Returns the file and the anchor that it names; the file is empty for a link inside of the page.
    pub fn parts(&self) -> (&str, Option<&str>) {
        match self.target.split_once('#') {
            Some((file, anchor)) => (file, Some(anchor)),
            None => (&self.target, None),
        }
    }
}

/// A link that leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The page.
    pub page: PathBuf,
    /// The link.
    pub link: Link,
    /// What is wrong.
    pub why: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (page, line, target) = (self.page.display(), self.link.line, &self.link.target);
        write!(to, "{page}:{line}: `{target}`: {}", self.why)
    }
}

/// Returns all links of a page, in order.
pub fn links(text: &str) -> Vec<Link> {
    let parser = Parser::new_ext(text, options()).into_offset_iter();
    let mut links = Vec::new();
    for (event, place) in parser {
        if let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = event {
            links.push(Link {
                target: dest_url.to_string(),
                line: text[..place.start].matches('\n').count() + 1,
                place,
            });
        }
    }
    links
}

/// Returns the links of the pages that name no file, or no anchor of a page. `pages` are relative to `root`.
///
/// # Errors
/// If a page cannot be read.
pub fn faults(root: &Path, pages: &[PathBuf]) -> anyhow::Result<Vec<Fault>> {
    let mut known = HashMap::new();
    let mut faults = Vec::new();
    for page in pages {
        let text = std::fs::read_to_string(root.join(page))?;
        for link in links(&text) {
            if let Some(why) = fault(root, page, &link, &mut known) {
                faults.push(Fault {
                    page: page.clone(),
                    link,
                    why,
                });
            }
        }
    }
    Ok(faults)
}

type Known = HashMap<PathBuf, std::collections::HashSet<String>>;

fn fault(root: &Path, page: &Path, link: &Link, known: &mut Known) -> Option<String> {
    if link.leads_out() {
        return None;
    }
    let (file, anchor) = link.parts();
    let target = match file {
        "" => page.to_owned(),
        file => plain(&page.parent().unwrap_or(Path::new("")).join(file)),
    };
    if target.starts_with("..") || target.is_absolute() {
        return Some("leads out of the checkout".to_owned());
    }
    let path = root.join(&target);
    if !path.exists() {
        return Some("the file does not exist".to_owned());
    }
    let anchor = anchor?;
    if target.extension().is_none_or(|it| it != "md") {
        return None;
    }
    let anchors = known.entry(target).or_insert_with(|| {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        anchors(&text)
    });
    (!anchors.contains(anchor)).then(|| "the heading does not exist".to_owned())
}

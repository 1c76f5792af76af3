//! The links of the finished site, read from its HTML.

use std::path::{Path, PathBuf};

use crate::pages::plain;

/// Returns the links of the pages below `site` that lead to no file, as lines.
///
/// # Errors
/// If a page cannot be read.
pub fn faults(site: &Path) -> anyhow::Result<Vec<String>> {
    let mut faults = Vec::new();
    let mut left = vec![PathBuf::new()];
    while let Some(folder) = left.pop() {
        for entry in std::fs::read_dir(site.join(&folder))? {
            let entry = entry?;
            let path = folder.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                left.push(path);
            } else if path.extension().is_some_and(|it| it == "html") {
                let text = std::fs::read_to_string(site.join(&path))?;
                for target in targets(&text) {
                    if leads_nowhere(site, &path, target) {
                        faults.push(format!("{}: {target}", path.display()));
                    }
                }
            }
        }
    }
    faults.sort();
    faults.dedup();
    Ok(faults)
}

/// Returns the values of `href` and `src`.
fn targets(html: &str) -> Vec<&str> {
    let mut targets = Vec::new();
    for attribute in [" href=\"", " src=\""] {
        let parts = html.split(attribute).skip(1);
        targets.extend(parts.filter_map(|part| part.split('"').next()));
    }
    targets
}

fn leads_nowhere(site: &Path, page: &Path, target: &str) -> bool {
    let file = target.split(['#', '?']).next().unwrap_or_default();
    if file.is_empty() || file.contains(':') {
        return false;
    }
    // The page for addresses that do not exist is meant for the root of a server.
    let from = match file.strip_prefix('/') {
        Some(_) => return page != Path::new("404.html"),
        None => page.parent().unwrap_or(Path::new("")),
    };
    !site.join(plain(&from.join(file))).exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_nothing_are_found() {
        let site = tempfile::tempdir().unwrap();
        std::fs::create_dir(site.path().join("docs")).unwrap();
        let page = r##"<a href="../x.html#a">x</a><img src="none.png"><a href="https://example.org/">w</a><a href="#b">b</a>"##;
        std::fs::write(site.path().join("docs/a.html"), page).unwrap();
        std::fs::write(site.path().join("x.html"), r#"<a href="docs/a.html">a</a>"#).unwrap();
        assert_eq!(faults(site.path()).unwrap(), ["docs/a.html: none.png"]);
    }
}

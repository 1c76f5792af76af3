//! The order of the site's pages.

use std::path::{Path, PathBuf};

use super::gather::of_site;

/// A part of the site: its heading, and its pages with their titles. A title that begins with spaces is below the page before.
type Part = (&'static str, &'static [(&'static str, &'static str)]);

/// The first page, which is also the site's `index.html`.
pub const FIRST: (&str, &str) = ("locktoll", "README.md");

/// Everything that has its place. Other pages that are linked come last.
const PARTS: [Part; 6] = [
    (
        "Begin",
        &[
            ("Start here: five minutes", "docs/start.md"),
            ("Archives, packages, containers", "docs/packages.md"),
            ("Which lock should I use?", "docs/which-lock.md"),
            (
                "How we measure, and what we do not claim",
                "docs/measuring.md",
            ),
            ("  What recording does to a program", "docs/honesty.md"),
        ],
    ),
    (
        "Verbs",
        &[
            ("tour", "docs/tour.md"),
            ("machine", "docs/machine.md"),
            ("bench", "docs/bench.md"),
            ("record, report", "docs/record.md"),
            ("  busy waiting", "docs/spinning.md"),
            ("  orders of locks, alerts", "docs/order.md"),
            ("  timeline", "docs/timeline.md"),
            ("  snapshot", "docs/snapshot.md"),
            ("try", "docs/try.md"),
            ("whatif, advise", "docs/advice.md"),
            ("attach", "docs/attach.md"),
            ("hang", "docs/stuck.md"),
            ("top", "docs/top.md"),
            ("agent", "docs/fleet.md"),
            ("kernel", "docs/kernel.md"),
            ("reproduce", "docs/reproduce.md"),
            ("compare", "docs/compare.md"),
            ("doctor", "docs/doctor.md"),
            ("completions, man", "docs/shell.md"),
        ],
    ),
    (
        "Published claims",
        &[
            ("Verdicts on this machine", "docs/claims.md"),
            ("Under Wine", "docs/windows-claims.md"),
            ("How a claim is written down", "experiments/README.md"),
            ("Results", "experiments/RESULTS.md"),
        ],
    ),
    (
        "The locks as a library",
        &[
            (
                "tollgate, a mutex for programs",
                "crates/tollgate/README.md",
            ),
            ("  Whether to trust it", "docs/tollgate.md"),
            ("  For C and C++", "docs/c.md"),
            (
                "locktoll-locks, to compare and to read",
                "crates/locks/README.md",
            ),
        ],
    ),
    (
        "Reference",
        &[
            ("Exit codes and refusals", "docs/exit-codes.md"),
            ("Schemas of results", "docs/schemas/README.md"),
            ("Windows", "docs/windows.md"),
            ("aarch64", "docs/aarch64.md"),
            ("Security", "SECURITY.md"),
            ("Changes", "CHANGELOG.md"),
        ],
    ),
    (
        "The sources",
        &[
            ("Architecture", "ARCHITECTURE.md"),
            ("Contributing", "CONTRIBUTING.md"),
            ("How we write English", "docs/english.md"),
            ("Speed and cost", "benches/README.md"),
        ],
    ),
];

/// Pages that are made, below the page that introduces them.
pub struct Made {
    /// The page that introduces them.
    pub below: &'static str,
    /// Titles and paths.
    pub pages: Vec<(String, PathBuf)>,
}

/// Returns the pages that have a place and exist in the checkout.
pub fn placed(root: &Path) -> Vec<PathBuf> {
    let listed = PARTS.iter().flat_map(|(_, pages)| *pages);
    let all = std::iter::once(&FIRST).chain(listed);
    let paths = all.map(|(_, path)| PathBuf::from(path));
    paths.filter(|path| root.join(path).exists()).collect()
}

/// Returns mdBook's table of contents for these pages; `more` are pages without a place.
pub fn summary(root: &Path, made: &[Made], more: &[(String, PathBuf)]) -> String {
    let (title, path) = FIRST;
    let path = of_site(Path::new(path));
    let mut summary = format!("# Summary\n\n[{title}]({})\n", path.display());
    for (heading, pages) in PARTS {
        summary.push_str(&format!("\n# {heading}\n\n"));
        for (title, path) in pages.iter().filter(|(_, path)| root.join(path).exists()) {
            let indent = title.len() - title.trim_start().len();
            let title = title.trim_start();
            let page = of_site(Path::new(path));
            summary.push_str(&format!(
                "{}- [{title}]({})\n",
                " ".repeat(indent),
                page.display()
            ));
            for made in made.iter().filter(|made| made.below == *path) {
                for (title, path) in &made.pages {
                    let title = escaped(title);
                    summary.push_str(&format!("  - [{title}]({})\n", path.display()));
                }
            }
        }
    }
    if !more.is_empty() {
        summary.push_str("\n# More\n\n");
        for (title, path) in more {
            let path = of_site(path);
            summary.push_str(&format!("- [{}]({})\n", escaped(title), path.display()));
        }
    }
    summary
}

/// Returns a title in which no character means something in Markdown.
fn escaped(title: &str) -> String {
    let mut escaped = String::new();
    for character in title.chars() {
        if "\\`*_[]<>|".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

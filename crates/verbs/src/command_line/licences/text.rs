//! The answers of `locktoll licences`.

use std::fmt::Write;

use super::notices::{Notice, Package};
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::failure::Failure;

/// The project's own licences.
const OWN: [(&str, &str); 2] = [
    ("MIT", include_str!("../../../LICENSE-MIT")),
    ("Apache-2.0", include_str!("../../../LICENSE-APACHE")),
];

/// Returns the table of all parts.
pub fn table(version: &str, packages: &[Package]) -> String {
    let mut text = format!(
        "locktoll {version} may be used under MIT or Apache-2.0, at your option. It contains {} Rust packages, Rust's standard\n\
         library (MIT or Apache-2.0), and in its pages Apache ECharts (Apache-2.0, with parts under BSD-3-Clause, MIT, 0BSD).\n\
         inferno draws the flame graphs. It is under CDDL-1.0; the line below says where its source is.\n\n",
        packages.len()
    );
    let widest = |of: fn(&Package) -> usize| packages.iter().map(of).max().unwrap_or(0);
    let (names, licences) = (widest(|it| it.name.len()), widest(|it| it.licence.len()));
    for package in packages {
        let _ = writeln!(
            text,
            "{:names$}  {:licences$}  {}",
            package.name, package.licence, package.source
        );
    }
    text.push_str("\n`locktoll licences --texts` prints all texts, and `locktoll licences NAME` prints those of one package.\n");
    text
}

/// Returns all texts: the project's own, those of the pages, and those of the packages.
pub fn all(pages: &str, notices: &[Notice]) -> String {
    let mut text = String::new();
    for (name, licence) in OWN {
        let _ = writeln!(text, "==== {name}: locktoll\n{}\n", licence.trim());
    }
    let _ = writeln!(text, "{}\n", pages.trim());
    for notice in notices {
        push(&mut text, notice);
    }
    text
}

/// Returns the line and the texts of the packages of this name, `memchr` or `memchr 2.8.3`.
///
/// # Errors
/// [`Failure::Usage`] if the program has no such package.
pub fn of_one(name: &str, packages: &[Package], notices: &[Notice]) -> Result<String, Failure> {
    let found: Vec<&Package> = packages
        .iter()
        .filter(|it| it.name == name || it.name.split(' ').next() == Some(name))
        .collect();
    if found.is_empty() {
        return Err(Failure::Usage(format!(
            "'{}' is not a package in locktoll; `locktoll licences` lists them",
            shown_text(name)
        )));
    }
    let mut text = String::new();
    for package in found {
        let _ = writeln!(
            text,
            "{}  {}  {}\n",
            package.name, package.licence, package.source
        );
        for notice in notices
            .iter()
            .filter(|it| it.packages.contains(&package.name))
        {
            push(&mut text, notice);
        }
    }
    Ok(text)
}

fn push(text: &mut String, notice: &Notice) {
    let _ = writeln!(text, "==== {}\n{}\n", notice.title, notice.text);
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKAGES: [Package; 2] = [
        Package {
            name: "a 1.0.0",
            licence: "MIT",
            source: "https://crates.io/crates/a/1.0.0",
        },
        Package {
            name: "longer 2.0.0",
            licence: "Zlib",
            source: "https://crates.io/crates/longer/2.0.0",
        },
    ];

    fn notices() -> [Notice<'static>; 2] {
        [
            Notice {
                title: "MIT License: a 1.0.0",
                packages: vec!["a 1.0.0"],
                text: "Copyright A",
            },
            Notice {
                title: "Zlib License: longer 2.0.0",
                packages: vec!["longer 2.0.0"],
                text: "Copyright B",
            },
        ]
    }

    #[test]
    fn the_table_counts_and_aligns() {
        let table = table("9.9.9", &PACKAGES);
        assert!(table.starts_with("locktoll 9.9.9 may be used"), "{table}");
        assert!(table.contains("contains 2 Rust packages"), "{table}");
        assert!(table.contains("\na 1.0.0       MIT   https://"), "{table}");
    }

    #[test]
    fn one_package_has_its_own_texts_alone() {
        for name in ["a", "a 1.0.0"] {
            let text = of_one(name, &PACKAGES, &notices()).unwrap();
            assert!(text.contains("Copyright A") && !text.contains("Copyright B"));
        }
        let refused = of_one("b", &PACKAGES, &notices()).unwrap_err().to_string();
        assert!(refused.contains("'b' is not a package in locktoll"));
    }

    #[test]
    fn all_texts_begin_with_our_own() {
        let text = all("of the pages", &notices());
        let place = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part}"));
        assert!(place("MIT: locktoll") < place("Apache License"));
        assert!(place("Apache License") < place("of the pages"));
        assert!(place("of the pages") < place("Copyright A"));
    }
}

//! The links of all pages lead to files and headings that exist.

use std::path::PathBuf;

use xtask_docs::links::{faults, links};
use xtask_docs::pages::{all, root};

#[test]
fn every_link_leads_somewhere() {
    let root = root();
    let pages = all(&root).unwrap();
    assert!(
        pages.contains(&PathBuf::from("docs/record.md")),
        "{pages:?}"
    );
    let faults = faults(&root, &pages).unwrap();
    let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert!(lines.is_empty(), "\n{}", lines.join("\n"));
}

#[test]
fn planted_faults_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write(
        "README.md",
        "# One\n\n[a](docs/a.md#two) [b](docs/none.md) ![c](none.png) [d](#one) [e](#none)\n",
    );
    write(
        "docs/a.md",
        "# Two\n\n[up](../README.md)\n[gone](../README.md#gone)\n[out](../../x.md)\n\n```\n[code](none)\n```\n\
         `[code](none)` [web](https://example.org/none) [ref]\n\n[ref]: none.txt\n",
    );
    let pages = all(folder.path()).unwrap();
    let found = faults(folder.path(), &pages).unwrap();
    let found: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        [
            "README.md:3: `docs/none.md`: the file does not exist",
            "README.md:3: `none.png`: the file does not exist",
            "README.md:3: `#none`: the heading does not exist",
            "docs/a.md:4: `../README.md#gone`: the heading does not exist",
            "docs/a.md:5: `../../x.md`: leads out of the checkout",
            "docs/a.md:10: `none.txt`: the file does not exist",
        ]
    );
}

#[test]
fn a_link_knows_its_place() {
    let text = "x\n\na [b](c#d) e\n";
    let link = &links(text)[0];
    assert_eq!((link.line, &text[link.place.clone()]), (3, "[b](c#d)"));
    assert_eq!(link.parts(), ("c", Some("d")));
}

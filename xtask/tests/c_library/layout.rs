//! The files, and what is in them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::build::{folder, pkg_config, prefix};
use super::run::said;

#[test]
fn links_lead_from_the_plain_name_to_the_full_version() {
    let lib = prefix().join("lib");
    let leads_to = |name: &str| fs::read_link(lib.join(name)).unwrap();
    assert_eq!(leads_to("liblocktoll.so"), Path::new("liblocktoll.so.0"));
    let full = leads_to("liblocktoll.so.0");
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(full, Path::new(&format!("liblocktoll.so.{version}")));
    let left: Vec<_> = fs::read_dir(&lib)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".new"))
        .collect();
    assert_eq!(left, [""; 0]);
}

#[test]
fn pkg_config_knows_the_version() {
    if !locktoll_needs::programs(&["pkg-config"]) {
        return;
    }
    for module in ["locktoll", "locktoll-static"] {
        let version = pkg_config(prefix(), &["--modversion", module]);
        assert_eq!(version, [env!("CARGO_PKG_VERSION")]);
    }
}

#[test]
fn what_pkg_config_says_moves_with_the_folder() {
    if !locktoll_needs::programs(&["pkg-config"]) {
        return;
    }
    let moved = folder().join("c-moved");
    let pkgconfig = moved.join("lib/pkgconfig");
    fs::create_dir_all(&pkgconfig).unwrap();
    let file = "lib/pkgconfig/locktoll.pc";
    fs::copy(prefix().join(file), moved.join(file)).unwrap();
    let include = pkg_config(&moved, &["--cflags-only-I", "locktoll"]);
    assert!(
        include[0].starts_with(&format!("-I{}", moved.display())),
        "{include:?}"
    );
}

/// The library exports what the version script and the header name, and nothing else.
#[test]
fn what_is_exported_is_what_the_header_declares() {
    let shared = prefix().join("lib/liblocktoll.so");
    let dynamic = said(
        Command::new("nm")
            .args(["--dynamic", "--defined-only"])
            .arg(&shared),
    );
    let exported: BTreeSet<String> = dynamic
        .lines()
        .filter_map(|line| line.split_once(" T "))
        .map(|(_, name)| {
            name.strip_suffix("@@LOCKTOLL_0")
                .expect("it has a version")
                .to_owned()
        })
        .collect();
    assert_eq!(
        dynamic.lines().count(),
        exported.len() + 1,
        "and the version:\n{dynamic}"
    );

    let header = fs::read_to_string(prefix().join("include/locktoll.h")).unwrap();
    let declared: BTreeSet<String> = header
        .lines()
        .filter(|line| {
            ["void ", "int ", "bool "]
                .iter()
                .any(|kind| line.starts_with(kind))
        })
        .filter_map(|line| line.split_once('(')?.0.split(' ').nth(1))
        .map(str::to_owned)
        .collect();
    assert!(declared.len() >= 13, "{declared:?}");
    assert_eq!(exported, declared);

    let archive = prefix().join("lib/liblocktoll.a");
    let external = said(
        Command::new("nm")
            .args(["--extern-only", "--defined-only"])
            .arg(archive),
    );
    let external: BTreeSet<String> = external
        .lines()
        .filter_map(|line| Some(line.split_once(" T ")?.1.to_owned()))
        .collect();
    assert_eq!(external, declared);
}

#[test]
fn the_shared_library_needs_the_c_library_alone() {
    let shared = prefix().join("lib/liblocktoll.so");
    let dynamic = said(
        Command::new("readelf")
            .args(["--dynamic", "--wide"])
            .arg(shared),
    );
    let needed: Vec<&str> = dynamic
        .lines()
        .filter(|line| line.contains("(NEEDED)"))
        .collect();
    assert!(
        needed.len() == 1 && needed[0].contains("[libc.so.6]"),
        "{dynamic}"
    );
    assert!(dynamic.contains("soname: [liblocktoll.so.0]"), "{dynamic}");
}

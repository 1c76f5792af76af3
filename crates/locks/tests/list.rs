//! No lock in the source is missing from the list that the tests use, nor from the models. On Linux, whose list is complete.
#![cfg(all(not(locktoll_loom), feature = "std", target_os = "linux"))]

use std::fs;
use std::path::Path;

use locktoll_locks::*;

macro_rules! listed {
    ($($lock:ident $name:literal,)+) => { &[$((stringify!($lock), $name)),+] };
}
const LISTED: &[(&str, &str)] = for_each_lock!(listed);

/// All of the crate's source, file by file.
fn sources(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            found.push(fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn every_lock_is_on_the_list() {
    let mut files = Vec::new();
    for folder in ["src", "../tollgate/src"] {
        sources(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join(folder),
            &mut files,
        );
    }
    let mut implemented: Vec<&str> = files
        .iter()
        .flat_map(|file| file.lines())
        .filter_map(|line| {
            line.trim()
                .strip_prefix("unsafe impl RawLock for ")?
                .strip_suffix(" {")
        })
        // Its name in a crate of its own.
        .map(|name| if name == "RawMutex" { "Tollgate" } else { name })
        .collect();
    implemented.sort_unstable();
    let mut listed: Vec<_> = LISTED.iter().map(|(lock, _)| *lock).collect();
    listed.sort_unstable();
    assert!(!listed.is_empty());
    assert_eq!(implemented, listed);
}

#[test]
fn every_mutex_has_a_model() {
    let mut files = Vec::new();
    sources(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"),
        &mut files,
    );
    let models: String = files
        .into_iter()
        .filter(|file| file.lines().any(|line| line == "#![cfg(locktoll_loom)]"))
        .collect();
    for (lock, _) in LISTED {
        let kernel_object = ["SysvSemaphore", "Eventfd", "PipeToken"].contains(lock);
        // The queue locks' algorithms are modelled with explicit nodes.
        let modelled =
            models.contains(&format!("{lock}::")) || models.contains(&format!("<{lock}Queue>"));
        assert_eq!(modelled, !kernel_object, "{lock}");
    }
}

//! Allocators that the user preloads: they take locks inside malloc, before main and at the very end.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{LIBRARY, acquisitions_in, assert_same, command, program, run_recorded_with};

/// The allocator's library, if it is installed.
fn installed(soname: &str) -> Option<PathBuf> {
    let cache = Command::new("/sbin/ldconfig").arg("-p").output().ok()?;
    let cache = String::from_utf8_lossy(&cache.stdout).into_owned();
    let line = cache
        .lines()
        .find(|line| line.trim_start().starts_with(soname));
    let path = line
        .and_then(|line| line.split("=> ").nth(1))
        .map(PathBuf::from);
    if path.is_none() {
        locktoll_needs::missing(soname);
    }
    path
}

fn works_with(soname: &str) {
    let Some(library) = installed(soname) else {
        return;
    };
    let program = program("allocating.c");
    let bare = command(&program)
        .env("LD_PRELOAD", &library)
        .output()
        .unwrap();
    let recorded = run_recorded_with(&program, &[], &[&library]);
    assert_same(&bare, &recorded.output);
    // 4 threads: 20,000 times the slot and 1 time the sum; the items by how they were replaced.
    let all = acquisitions_in(recorded.only_part(), "allocating_c");
    assert_eq!(all, 4 * 20_001 + 4 * 20_000 - 64);

    // The other way round: the allocator first.
    let mut preload = OsString::from(&library);
    preload.push(" ");
    preload.push(&*LIBRARY);
    let folder = tempfile::tempdir().unwrap();
    let recorded = command(&program)
        .env("LD_PRELOAD", preload)
        .env("LOCKTOLL_PARTS", folder.path())
        .output()
        .unwrap();
    assert_same(&bare, &recorded);
    assert!(Path::new(folder.path()).read_dir().unwrap().count() == 1);
}

#[test]
fn jemalloc() {
    works_with("libjemalloc.so.2");
}

#[test]
fn tcmalloc() {
    works_with("libtcmalloc_minimal.so.4");
}

#[test]
fn mimalloc() {
    works_with("libmimalloc.so.2");
}

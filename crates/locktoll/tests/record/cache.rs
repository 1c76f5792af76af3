//! The place of the library that is loaded into a program: never where another user could replace it.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::Path;
use std::process::Command;

use crate::bench::{Bench, text};

/// A user that we are not.
const ANOTHER: u32 = 65533;

/// What a program finds in LD_PRELOAD under `record` with these variables and no others of that kind.
fn preloaded(bench: &Bench, variables: &[(&str, &Path)]) -> String {
    let mut command = bench.locktoll();
    for unset in ["XDG_CACHE_HOME", "HOME", "TMPDIR"] {
        command.env_remove(unset);
    }
    command.envs(variables.iter().copied());
    let words = ["record", "--quiet", "-o", "out.locktoll", "--", "sh", "-c"];
    let out = command.args(words).arg("echo $LD_PRELOAD").output();
    let out = out.unwrap();
    assert!(out.status.success(), "{}", text(&out.stderr));
    text(&out.stdout).trim().to_owned()
}

#[test]
fn without_a_home_it_is_in_a_folder_of_ours_alone() {
    let bench = Bench::new();
    let library = preloaded(&bench, &[]);
    let folder = fs::metadata(Path::new(&library).parent().unwrap()).unwrap();
    // SAFETY: geteuid(2) has no preconditions.
    assert_eq!(folder.uid(), unsafe { libc::geteuid() }, "{library}");
    assert_eq!(folder.mode() & 0o777, 0o700, "{library}");
}

#[test]
fn the_home_of_another_user_is_neither_used_nor_changed() {
    let bench = Bench::new();
    let home = bench.path("home");
    let cache = home.join("deep/cache");
    fs::create_dir_all(&cache).unwrap();
    if chown(&home, Some(ANOTHER), None).is_err() {
        locktoll_needs::refused("this user cannot make files that belong to another");
        return;
    }
    let names = || {
        let mut command = Command::new("find");
        text(&command.arg(&home).output().unwrap().stdout)
    };
    let before = names();
    // Its owner could put another folder in the place of whatever is made or lies there, even of ours.
    for variables in [
        &[("HOME", home.as_path())][..],
        &[("XDG_CACHE_HOME", &home)],
        &[("XDG_CACHE_HOME", &home.join("new/cache"))],
        &[("XDG_CACHE_HOME", &cache)],
        &[("TMPDIR", &cache)],
    ] {
        let library = preloaded(&bench, variables);
        assert!(!Path::new(&library).starts_with(&home), "{library}");
        assert_eq!(names(), before, "{variables:?}");
    }
}

#[test]
fn a_link_on_the_way_is_followed_once_for_all() {
    let bench = Bench::new();
    let (real, link) = (bench.path("real"), bench.path("link"));
    fs::create_dir(&real).unwrap();
    fs::set_permissions(&real, PermissionsExt::from_mode(0o755)).unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let library = preloaded(&bench, &[("XDG_CACHE_HOME", &link)]);
    let real = real.canonicalize().unwrap();
    assert!(Path::new(&library).starts_with(real), "{library}");
}

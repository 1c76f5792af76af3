//! Wrong use: one line, the right exit code, nothing started, nothing lost.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::bench::{Bench, text};

/// Records `program`, and expects to be told in one line what is wrong.
fn refused(bench: &Bench, arguments: &[&str], program: &[&str], code: i32, expected: &str) {
    let mut command = bench.locktoll();
    let out = command
        .arg("record")
        .args(arguments)
        .arg("--")
        .args(program)
        .output()
        .unwrap();
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(code), "{program:?}: {said}");
    assert!(out.stdout.is_empty(), "{program:?}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(
        said.contains(expected),
        "{said:?} does not contain {expected:?}"
    );
    assert_eq!(bench.litter(), Vec::<String>::new());
}

#[test]
fn what_cannot_be_run_is_refused_before_anything_starts() {
    let bench = Bench::new();
    let write = |name: &str, text: &str, mode| {
        let path = bench.path(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
    };
    write("plain", "#!/bin/sh\n", 0o644);
    write("text", "hello\n", 0o755);
    write("lost", "#!/nowhere/interpreter\n", 0o755);
    write("short", "\x7fELF", 0o755);
    for (program, expected) in [
        ("no-such-program-anywhere", "no program named"),
        ("./absent", "does not exist"),
        ("./plain", "if it is a program: chmod +x ./plain"),
        (".", "is a directory"),
        ("./text", "neither"),
        ("./lost", "interpreter"),
        ("./short", "neither"),
        ("", "empty"),
    ] {
        refused(&bench, &[], &[program], 2, expected);
    }
    assert!(!bench.path("recording.locktoll").exists());
}

#[test]
fn what_cannot_be_recorded_is_refused_with_what_can_be_done() {
    let bench = Bench::new();
    bench.c("endings", &[]);
    std::fs::rename(bench.path("endings"), bench.path("dynamic")).unwrap();
    bench.c("endings", &["-static"]);
    refused(
        &bench,
        &[],
        &["./endings", "exit", "0"],
        3,
        "statically linked",
    );

    // Another identity: only the superuser can make such a file for a test.
    let made = std::os::unix::fs::chown(bench.path("dynamic"), Some(12_345), None);
    if made.is_ok() {
        let bits = std::fs::Permissions::from_mode(0o4755);
        std::fs::set_permissions(bench.path("dynamic"), bits).unwrap();
        refused(&bench, &[], &["./dynamic", "exit", "0"], 3, "set-user-id");
    }
}

#[test]
fn sanitizers_that_do_not_go_with_a_recorder_are_refused_by_name() {
    let bench = Bench::new();
    for (flags, expected) in [
        (&["-fsanitize=address"][..], "-static-libasan"),
        (&["-fsanitize=thread"], "ThreadSanitizer"),
        (&["-fsanitize=thread", "-static-libtsan"], "ThreadSanitizer"),
    ] {
        bench.c("endings", flags);
        refused(&bench, &[], &["./endings", "exit", "5"], 3, expected);
    }
    // These are not in the way.
    for flags in [
        &["-fsanitize=undefined"][..],
        &["-fsanitize=address", "-static-libasan"],
    ] {
        bench.c("endings", flags);
        let recorded = bench.record(&["./endings", "exit", "5"]);
        assert_eq!(recorded.status.code(), Some(5), "{flags:?}");
        let profile = bench.profile("out.locktoll");
        let ending = crate::bench::lock(&profile, "ending_lock");
        assert_eq!(ending["acquisitions"], 10, "{flags:?}");
    }
}

#[test]
fn an_output_that_cannot_be_written_is_refused_before_anything_starts() {
    let bench = Bench::new();
    std::fs::write(bench.path("source.c"), "int main() {}").unwrap();
    std::fs::create_dir(bench.path("folder")).unwrap();
    let started = bench.path("started");
    let touch = ["touch", started.to_str().unwrap()];
    for (output, expected) in [
        ("folder", "is a directory"),
        (
            "nowhere/out",
            "cannot write nowhere/out: the directory nowhere does not exist",
        ),
        ("source.c/out", "source.c is not a directory"),
        ("source.c", "not a recording"),
        ("/dev/null", "not a regular file"),
        ("/proc/out", "cannot write /proc/out"),
    ] {
        refused(&bench, &["-o", output], &touch, 2, expected);
        assert!(!started.exists(), "{output}");
    }
    assert_eq!(
        std::fs::read(bench.path("source.c")).unwrap(),
        b"int main() {}"
    );
    assert!(Path::new("/dev/null").exists());
}

#[test]
fn an_earlier_recording_stays_until_the_new_one_is_whole() {
    let bench = Bench::new();
    assert!(bench.record(&["true"]).status.success());
    let before = std::fs::read(bench.path("out.locktoll")).unwrap();
    let out = bench.record(&["./absent"]);
    assert_eq!(out.status.code(), Some(2));
    assert_eq!(std::fs::read(bench.path("out.locktoll")).unwrap(), before);
    // Seen by the program itself while it runs.
    let out = bench.record(&["cmp", "out.locktoll", "out.locktoll"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    assert_ne!(std::fs::read(bench.path("out.locktoll")).unwrap(), before);
}

#[test]
fn a_record_without_a_program_is_wrong_use() {
    let bench = Bench::new();
    for arguments in [
        &["record"][..],
        &["record", "--"],
        &["record", "--no-such-flag", "--", "true"],
        &["record", "--quiet", "--json", "--", "true"],
    ] {
        let out = bench.locktoll().args(arguments).output().unwrap();
        assert_eq!(out.status.code(), Some(2), "{arguments:?}");
        assert_eq!(
            text(&out.stderr).lines().count(),
            1,
            "{}",
            text(&out.stderr)
        );
    }
}

#[test]
fn without_any_place_for_the_library_there_is_one_clear_error() {
    let bench = Bench::new();
    // A file where the cache should be: the next places are tried, and serve.
    std::fs::write(bench.path("cache"), "").unwrap();
    let out = bench
        .locktoll()
        .args(["record", "--quiet", "--", "true"])
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", text(&out.stderr));
}

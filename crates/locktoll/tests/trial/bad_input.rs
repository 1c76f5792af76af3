//! Wrong use: the reason in one line, the right exit code, nothing started.

use std::os::unix::fs::PermissionsExt;

use crate::bench::{Bench, text};

/// Has `try` refuse `arguments` with `code`; gives what it said.
fn refused(bench: &Bench, arguments: &[&str], code: i32) -> String {
    let mut command = bench.locktoll();
    let out = command.arg("try").args(arguments).output().unwrap();
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(code), "{arguments:?}: {said}");
    assert!(out.stdout.is_empty(), "{arguments:?}");
    assert_eq!(said.lines().count(), 1, "{said}");
    said
}

#[test]
fn wrong_input_starts_nothing() {
    let bench = Bench::new();
    let touched = bench.path("touched");
    let touch = ["--", "touch", touched.to_str().unwrap()];
    for (options, expected) in [
        (&["--lock", "tikcet"][..], "did you mean 'ticket'?"),
        (&["--lock", "futex3:many"], "futex3:N"),
        (&["--lock", "pass-through:1"], "takes no number"),
        (&["--rounds", "0"], "1 or more"),
        (&["--rounds", "x"], "--rounds"),
        (&["--metric", "took ("], "unclosed group"),
        (&["--metric", "took [0-9]+"], "no group"),
        (&["--ready", "6379"], "--load"),
        (&["--better", "higher"], "--metric"),
        (&["--load", " "], "--load is empty"),
        (&["--load", "true", "--ready", "0"], "not a port"),
        (
            &["--load", "true", "--ready", "("],
            "not a valid regular expression",
        ),
        (&["--time-limit", "5"], "no unit"),
        (&["--timeout", "0"], "not a time limit"),
        (&["-o", "nowhere/out.json"], "nowhere"),
    ] {
        let mut arguments = options.to_vec();
        arguments.extend(touch);
        let said = refused(&bench, &arguments, 2);
        assert!(
            said.contains(expected),
            "{said:?} does not contain {expected:?}"
        );
        assert!(!touched.exists(), "{options:?}");
    }
    assert!(refused(&bench, &["--rounds", "1"], 2).contains("CMD"));
    assert!(refused(&bench, &["--", "./absent"], 2).contains("does not exist"));
}

#[test]
fn programs_that_no_library_can_be_put_under_are_refused_with_the_reason() {
    let bench = Bench::new();
    let dynamic = bench.c("tried", &[]);
    let other = bench.path("other");
    std::fs::copy(&dynamic, &other).unwrap();
    bench.c("tried", &["-static"]);
    let said = refused(&bench, &["--", "./tried", "exit", "0"], 3);
    assert!(
        said.contains("statically linked") && said.ends_with("to try it\n"),
        "{said}"
    );
    // Of a script, the interpreter counts.
    let script = bench.path("script");
    std::fs::write(
        &script,
        format!("#!{} exit\n", bench.path("tried").display()),
    )
    .unwrap();
    std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).unwrap();
    assert!(refused(&bench, &["--", "./script"], 3).contains("statically linked"));

    // Another identity: only the superuser can make such a file for a test.
    if std::os::unix::fs::chown(&other, Some(12_345), None).is_ok() {
        std::fs::set_permissions(&other, PermissionsExt::from_mode(0o4755)).unwrap();
        let said = refused(&bench, &["--", "./other", "exit", "0"], 3);
        assert!(
            said.contains("set-user-id") && said.contains("try a copy"),
            "{said}"
        );
    }
}

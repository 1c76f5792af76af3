//! Rust: the standard library's locks, and parking_lot's.

use std::process::Command;

use crate::watched::{Watched, built, folder, has_function, lock, source, tool, waited_ns};

#[test]
fn the_standard_library() {
    let folder = folder();
    let program = folder.path().join("attach_std");
    let mut compiler = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()));
    compiler.args(["-g", "-O", "--edition", "2024"]);
    compiler.arg(source("attach_std.rs"));
    if built(&compiler, &program).is_none() {
        return;
    }
    let watched = Watched::start(&mut Command::new(&program));
    let Some(profile) = watched.profile("1500ms", &[]) else {
        return;
    };
    let ledger = lock(&profile, "LEDGER");
    assert_eq!(
        (&ledger["kind"], &ledger["used_as"]),
        (&"futex".into(), &"lock".into())
    );
    assert!(
        has_function(ledger, "sites", "frames", "book_entry"),
        "{ledger:#}"
    );
    assert!(
        has_function(ledger, "woken_by", "waker", "book_entry"),
        "{ledger:#}"
    );
    let mail = lock(&profile, "MAIL_CAME");
    assert_eq!(
        (&mail["used_as"], &mail["contended"]),
        (&"signal".into(), &0.into())
    );
    assert!(waited_ns(mail) > 0);
    assert!(
        has_function(mail, "sites", "frames", "await_mail"),
        "{mail:#}"
    );
}

/// Its futex words are the threads', so its locks are told by the places that wait.
#[test]
fn parking_lot() {
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let mut build = Command::new(cargo);
    // As `cargo test --workspace` has built it: of one package alone, its dependencies would be others.
    build.args(["build", "--locked", "--workspace", "--example", "parked"]);
    if tool(build.current_dir(env!("CARGO_MANIFEST_DIR"))).is_none() {
        return;
    }
    let built = concat!(env!("CARGO_TARGET_TMPDIR"), "/../debug/examples/parked");
    let watched = Watched::start(&mut Command::new(built));
    let Some(profile) = watched.profile("1500ms", &[]) else {
        return;
    };
    let locks = profile["locks"].as_array().unwrap();
    for function in ["stamp_letter", "file_letter"] {
        let found = locks
            .iter()
            .find(|it| it["used_as"] == "lock" && has_function(it, "sites", "frames", function));
        let found = found.unwrap_or_else(|| panic!("no lock for {function} in {profile:#}"));
        assert!(waited_ns(found) > 0, "{found:#}");
    }
}

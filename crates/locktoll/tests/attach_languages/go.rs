//! Go: goroutines wait without the kernel; the thread that wakes idle threads shows which lock is handed over.

use std::process::Command;

use crate::watched::{Watched, folder, has_function, source, tool};

#[test]
fn a_mutex_of_goroutines() {
    let folder = folder();
    let program = folder.path().join("attach_go");
    let mut compiler = Command::new("go");
    compiler
        .args(["build", "-o"])
        .arg(&program)
        .arg(source("attach_go.go"))
        // Nothing is fetched, and nothing left in the user's folders.
        .env("GOFLAGS", "-mod=mod")
        .env("GOPROXY", "off")
        .env("GOCACHE", folder.path().join("cache"));
    if tool(&mut compiler).is_none() {
        return;
    }
    let watched = Watched::start(Command::new(&program).env("GOMAXPROCS", "4"));
    let Some(profile) = watched.profile("2s", &[]) else {
        return;
    };
    let locks = profile["locks"].as_array().unwrap();
    let idle = locks.iter().filter(|it| it["used_as"] == "signal");
    let mut woken = idle.filter(|it| has_function(it, "woken_by", "waker", "main.changeBalance"));
    assert!(woken.next().is_some(), "{profile:#}");
    // Idle threads are not contention.
    for lock in locks
        .iter()
        .filter(|it| has_function(it, "stacks", "frames", "runtime.stopm"))
    {
        assert_eq!(
            (&lock["used_as"], &lock["contended"]),
            (&"signal".into(), &0.into())
        );
    }
    let warnings = profile["warnings"].to_string();
    assert!(warnings.contains("is a Go program"), "{warnings}");
}

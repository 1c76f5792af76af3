//! Real programs under a small load: no order of locks in them is reported. `tests/lock_order/run.sh` also runs PostgreSQL, sqlite,
//! nginx and a GLib program.

use std::path::Path;
use std::process::Command;

use crate::bench::{LOCKTOLL, text};

/// Runs one of the programs of `tests/lock_order/run.sh`, unless it, or what it needs, is not installed.
fn has_no_cycle(name: &str, needs: &[&str]) {
    let mut all = vec!["bash", "python3"];
    all.extend(needs);
    if !locktoll_needs::programs(&all) {
        return;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/lock_order/run.sh");
    let output = Command::new("bash")
        .arg(script)
        .args(["--locktoll", LOCKTOLL, name])
        .env("TMPDIR", Path::new(env!("CARGO_TARGET_TMPDIR")))
        .output()
        .unwrap();
    let said = text(&output.stdout);
    assert!(output.status.success(), "{said}{}", text(&output.stderr));
    // The program has acquired locks while it held others, or the test would show nothing.
    let edges = said.split(' ').nth(1).and_then(|it| it.parse::<u64>().ok());
    assert!(edges > Some(0) && said.contains(" 0 cycles"), "{said}");
}

#[test]
fn of_memcached() {
    has_no_cycle("memcached", &["memcached"]);
}

#[test]
fn of_mariadb() {
    has_no_cycle("mariadb", &["mariadbd", "mariadb", "mariadb-install-db"]);
}

#[test]
fn of_redis() {
    has_no_cycle("redis", &["redis-server", "redis-cli", "redis-benchmark"]);
}

#[test]
fn of_rocksdb() {
    has_no_cycle("rocksdb", &["db_bench"]);
}

#[test]
fn of_python() {
    has_no_cycle("python", &[]);
}

#[test]
fn of_sqlite() {
    has_no_cycle("sqlite", &[]);
}

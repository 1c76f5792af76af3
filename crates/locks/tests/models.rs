//! Runs the loom models from the ordinary test command.
//!
//! They need a build of their own (`--cfg loom` swaps the atomics), so this test starts a nested `cargo test` with its own
//! target folder. By hand: `RUSTFLAGS="--cfg loom" cargo test -p locktoll-locks --release --test 'loom_*'`.
#![cfg(not(loom))]

use std::env;
use std::path::Path;
use std::process::Command;

#[test]
fn all_models_hold_and_find_the_planted_faults() {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("loom");
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // What the outer cargo has set speaks of the outer build; the user's own settings stay.
    let outer = env::vars_os().map(|(name, _)| name).filter(|name| {
        let name = name.to_string_lossy();
        (name.starts_with("CARGO_") && !is_setting(&name))
            || name.starts_with("RUST_TEST_")
            || name.starts_with("NEXTEST")
            || ["RUSTFLAGS", "RUSTDOCFLAGS", "LD_LIBRARY_PATH"].contains(&&*name)
    });
    for name in outer.collect::<Vec<_>>() {
        cargo.env_remove(name);
    }
    let run = cargo
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["test", "--release", "--test", "loom_*", "--target-dir"])
        .arg(target)
        .env("RUSTFLAGS", "--cfg loom")
        .output()
        .expect("cargo, which runs this test, can be started");
    let said = String::from_utf8_lossy(&run.stdout);
    let results: Vec<_> = said
        .lines()
        .filter(|l| l.starts_with("test result"))
        .collect();
    println!("{}", results.join("\n"));
    assert!(
        run.status.success(),
        "the models failed:\n{said}\n{}",
        String::from_utf8_lossy(&run.stderr)
    );
    // As many as there are files of models: an empty run is not a success.
    assert_eq!(results.len(), 3, "{said}");
    assert!(
        results.iter().all(|line| !line.contains(" 0 passed")),
        "{said}"
    );
}

/// Where the user keeps cargo's things and how it may reach the network.
fn is_setting(name: &str) -> bool {
    let settings = [
        "CARGO_HOME",
        "CARGO_NET_",
        "CARGO_HTTP_",
        "CARGO_REGISTR",
        "CARGO_SOURCE_",
    ];
    settings.iter().any(|setting| name.starts_with(setting))
}

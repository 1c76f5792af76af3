//! A cargo of its own, for builds that the outer one cannot make: other flags, other kinds of
//! library.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

/// `cargo` in the folder of a package, free of what the outer cargo has set for its own build.
pub fn cargo(package: &str) -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        let of_the_outer_build = (text.starts_with("CARGO_") && !is_setting(&text))
            || text.starts_with("RUST_TEST_")
            || text.starts_with("NEXTEST")
            || ["RUSTFLAGS", "RUSTDOCFLAGS", "LD_LIBRARY_PATH"].contains(&&*text);
        if of_the_outer_build {
            cargo.env_remove(&name);
        }
    }
    cargo.current_dir(package);
    cargo
}

/// Where the user keeps cargo's things and how it may reach the network.
fn is_setting(name: &str) -> bool {
    [
        "CARGO_HOME",
        "CARGO_NET_",
        "CARGO_HTTP_",
        "CARGO_REGISTR",
        "CARGO_SOURCE_",
    ]
    .iter()
    .any(|setting| name.starts_with(setting))
}

/// Runs the loom models of a package, `tests/loom_*`, which must hold and must find the faults planted in them.
///
/// They need a build of their own: `--cfg locktoll_loom` swaps the atomics. By hand: `RUSTFLAGS="--cfg locktoll_loom" cargo test -p PACKAGE
/// --release --test 'loom_*'`.
pub fn models(package: &str, target: &str) {
    // The models ask by themselves. Asked here, it is noted for the test that cargo knows.
    let _ = locktoll_needs::soak();
    let run = cargo(package)
        .args(["test", "--release", "--test", "loom_*", "--target-dir"])
        .arg(Path::new(target).join("loom"))
        .env("RUSTFLAGS", "--cfg locktoll_loom")
        .output()
        .expect("cargo, which runs this test, can be started");
    let said = String::from_utf8_lossy(&run.stdout);
    let results: Vec<_> = said
        .lines()
        .filter(|line| line.starts_with("test result"))
        .collect();
    println!("{}", results.join("\n"));
    assert!(
        run.status.success(),
        "the models failed:\n{said}\n{}",
        String::from_utf8_lossy(&run.stderr)
    );
    // An empty run is not a success.
    let files = fs::read_dir(Path::new(package).join("tests"))
        .expect("a folder of tests")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.starts_with("loom_"));
    assert_eq!(results.len(), files.count(), "{said}");
    assert!(
        results.iter().all(|line| !line.contains(" 0 passed")),
        "{said}"
    );
}

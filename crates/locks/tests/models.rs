//! Runs the loom models from the ordinary test command.
//!
//! They need a build of their own (`--cfg loom` swaps the atomics), so this test starts a nested
//! `cargo test` with its own target folder. By hand: `RUSTFLAGS="--cfg loom" cargo test -p
//! locktoll-locks --release --test 'loom_*'`.
#![cfg(all(not(loom), target_os = "linux"))]

mod nested;

#[test]
fn all_models_hold_and_find_the_planted_faults() {
    let run = nested::cargo()
        .args(["test", "--release", "--test", "loom_*", "--target-dir"])
        .arg(nested::target("loom"))
        .env("RUSTFLAGS", "--cfg loom")
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
    assert_eq!(results.len(), files_of_models(), "{said}");
    assert!(
        results.iter().all(|line| !line.contains(" 0 passed")),
        "{said}"
    );
}

fn files_of_models() -> usize {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    std::fs::read_dir(folder)
        .expect("this folder")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.starts_with("loom_"))
        .count()
}

//! Stamps the version with the commit it was built from.

use std::process::Command;

fn main() {
    let version = std::env::var("CARGO_PKG_VERSION").expect("cargo sets the package's version");
    let stamped = match commit() {
        Some(commit) => format!("{version} ({commit})"),
        None => version,
    };
    println!("cargo:rustc-env=LOCKTOLL_VERSION={stamped}");
}

/// The commit of the checkout, or `None` outside one (a packaged crate).
fn commit() -> Option<String> {
    let git = |words: &[&str]| {
        let out = Command::new("git").args(words).output().ok()?;
        out.status
            .success()
            .then(|| String::from_utf8_lossy(&out.stdout).trim().to_owned())
    };
    let head = git(&["rev-parse", "--git-path", "HEAD"])?;
    println!("cargo:rerun-if-changed={head}");
    if let Some(branch) = git(&["symbolic-ref", "-q", "HEAD"]) {
        let branch = git(&["rev-parse", "--git-path", &branch])?;
        println!("cargo:rerun-if-changed={branch}");
    }
    git(&["rev-parse", "--short=10", "HEAD"])
}

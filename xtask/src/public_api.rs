//! The public interface of the crate `tollgate`, which programs depend on: what it is, and what it was when it was kept.
//!
//! A line that is gone or different breaks programs, and the version has to say so (semver); a new line does not.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};

use super::build;

/// Where the interface is kept, for review and for comparison.
const KEPT: &str = "crates/tollgate/public-api.txt";

/// Crates whose types must not be part of it: a new version of them would be one of `tollgate`, too.
const FOREIGN: [&str; 3] = ["rustix::", "libc::", "locktoll_waiting::"];

pub fn run(keep: bool) -> anyhow::Result<()> {
    let now = now()?;
    let foreign = foreign(&now);
    ensure!(
        foreign.is_empty(),
        "types of other crates are part of the interface:\n{}",
        foreign.join("\n")
    );
    let file = build::top().join(KEPT);
    if keep {
        fs::write(&file, &now).with_context(|| format!("cannot write {}", file.display()))?;
        println!("kept {} lines in {KEPT}", now.lines().count());
        return Ok(());
    }
    let kept = fs::read_to_string(&file).with_context(|| format!("cannot read {KEPT}"))?;
    let change = Change::between(&kept, &now);
    if change.is_none() {
        println!("the interface is the one in {KEPT}");
        return Ok(());
    }
    bail!("{}", change.text())
}

/// The interface with all features for Rust, one item a line.
fn now() -> anyhow::Result<String> {
    let json = rustdoc_json()?;
    let api = public_api::Builder::from_rustdoc_json(&json)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .context(
            "the compiler's description of the crate is in a format that this task does not read",
        )?;
    Ok(api.to_string())
}

/// Has rustdoc describe the crate. The compiler offers this to its own developers only, unless RUSTC_BOOTSTRAP is set.
fn rustdoc_json() -> anyhow::Result<PathBuf> {
    let target = build::top().join("target/public-api");
    let done = Command::new(env!("CARGO"))
        .args("rustdoc --quiet --package tollgate --lib --locked --features lock_api".split(' '))
        .arg("--target-dir")
        .arg(&target)
        .args("-- -Z unstable-options --output-format json --cap-lints allow".split(' '))
        .env("RUSTC_BOOTSTRAP", "1")
        .env_remove("RUSTDOCFLAGS")
        .current_dir(build::top())
        .status()
        .context("cannot run cargo rustdoc")?;
    ensure!(done.success(), "cargo rustdoc: {done}");
    Ok(Path::new(&target).join("doc/tollgate.json"))
}

/// Lines that name a type of another crate. The traits of `lock_api` are implemented on purpose.
fn foreign(interface: &str) -> Vec<&str> {
    interface
        .lines()
        .filter(|line| FOREIGN.iter().any(|name| line.contains(name)))
        .collect()
}

/// Lines of one interface that the other does not have.
struct Change<'a> {
    gone: Vec<&'a str>,
    new: Vec<&'a str>,
}

impl<'a> Change<'a> {
    fn between(kept: &'a str, now: &'a str) -> Self {
        let lines = |text: &'a str| text.lines().collect::<BTreeSet<_>>();
        let (kept, now) = (lines(kept), lines(now));
        Self {
            gone: kept.difference(&now).copied().collect(),
            new: now.difference(&kept).copied().collect(),
        }
    }

    fn is_none(&self) -> bool {
        self.gone.is_empty() && self.new.is_empty()
    }

    fn text(&self) -> String {
        let mut text = String::from("the public interface of tollgate has changed:\n");
        for (sign, lines) in [('-', &self.gone), ('+', &self.new)] {
            for line in lines {
                text.push_str(&format!("{sign} {line}\n"));
            }
        }
        text.push_str(if self.gone.is_empty() {
            "nothing is gone: a minor version. "
        } else {
            "what is gone breaks programs: a new major version (below 1.0: a new minor one). "
        });
        text.push_str("If this is intended: cargo xtask public-api --keep");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::{Change, foreign};

    const KEPT: &str = "pub fn a()\npub fn b(u8)\n";

    #[test]
    fn an_interface_that_only_grows_breaks_nobody() {
        let change = Change::between(KEPT, "pub fn c()\npub fn b(u8)\npub fn a()\n");
        assert_eq!(
            (change.gone.len(), &change.new[..]),
            (0, &["pub fn c()"][..])
        );
        assert!(change.text().contains("a minor version"));
        assert!(Change::between(KEPT, KEPT).is_none());
    }

    #[test]
    fn an_argument_that_changes_is_gone_and_new() {
        let change = Change::between(KEPT, "pub fn a()\npub fn b(u16)\n");
        assert_eq!(
            change.text().lines().collect::<Vec<_>>()[..3],
            [
                "the public interface of tollgate has changed:",
                "- pub fn b(u8)",
                "+ pub fn b(u16)"
            ]
        );
        assert!(change.text().contains("breaks programs"));
    }

    #[test]
    fn types_of_other_crates_are_found_and_those_of_lock_api_are_not() {
        let interface = "pub fn a() -> lock_api::GuardSend\npub fn b(&rustix::io::Errno)\n\
                         impl locktoll_waiting::RawLock for tollgate::RawMutex\npub fn c(std::time::Instant)\n";
        assert_eq!(foreign(interface).len(), 2);
    }
}

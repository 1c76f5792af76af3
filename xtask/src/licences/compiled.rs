//! The packages that the program and its libraries are compiled from, as cargo resolves them.

use std::collections::BTreeSet;
use std::process::Command;

use anyhow::{Context, ensure};

use crate::build::top;

/// The systems that the program is built for.
const TARGETS: [&str; 3] = [
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "x86_64-pc-windows-gnu",
];

/// Returns names and versions of all packages of others, `memchr 2.8.3`: on every system, without those that only tests or build
/// scripts use.
pub fn packages() -> anyhow::Result<BTreeSet<String>> {
    let mut all = BTreeSet::new();
    for program in ["locktoll", "locktoll-preload"] {
        for target in TARGETS {
            let output = Command::new(env!("CARGO"))
                .args(["tree", "--locked", "--edges", "normal", "--prefix", "none"])
                .args(["--format", "{p}", "--package", program, "--target", target])
                .current_dir(top())
                .output()
                .context("cannot start cargo")?;
            ensure!(
                output.status.success(),
                "cargo tree failed: {}",
                String::from_utf8_lossy(&output.stderr).trim()
            );
            all.extend(of_others(&String::from_utf8_lossy(&output.stdout)));
        }
    }
    Ok(all)
}

/// Reads lines such as `memchr v2.8.3` and `serde_derive v1.0.229 (proc-macro)`; the project's own have their folder behind.
fn of_others(tree: &str) -> BTreeSet<String> {
    tree.lines()
        .filter(|line| !line.contains("(/"))
        .filter_map(|line| {
            let mut words = line.split(' ');
            let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
            Some(format!("{name} {version}"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_packages_are_left_out() {
        let tree = "locktoll v0.1.0 (/home/x/crates/locktoll)\nmemchr v2.8.3\nserde_derive v1.0.229 (proc-macro)\nmemchr v2.8.3 (*)\n\n";
        let names: Vec<String> = of_others(tree).into_iter().collect();
        assert_eq!(names, ["memchr 2.8.3", "serde_derive 1.0.229"]);
    }
}

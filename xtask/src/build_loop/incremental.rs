//! After one changed file: the build, and the tests of that file's room.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, ensure};
use serde_json::Value;

use super::builds::Unit;
use super::change::{Change, is_of_verb};
use super::figures::Figure;
use super::tree::Tree;

/// What a change of one file of one verb may cost: the build, and the tests of its room.
const BUILD_LIMIT_S: u64 = 12;
const TEST_LIMIT_S: u64 = 20;

struct Times<'a> {
    change: &'a Change,
    test: Vec<String>,
    build: Vec<Duration>,
    tests: Vec<Duration>,
    rebuilt: Vec<Unit>,
    ran: Option<String>,
}

/// Times every change in turn, so many rounds.
pub fn figures(tree: &Tree, changes: &[Change], rounds: usize) -> anyhow::Result<Vec<Figure>> {
    let metadata = metadata(tree)?;
    let mut all = Vec::new();
    for change in changes {
        all.push(Times {
            change,
            test: test_words(&metadata, tree, change)?,
            build: Vec::new(),
            tests: Vec::new(),
            rebuilt: Vec::new(),
            ran: None,
        });
    }
    for round in 1..=rounds {
        for times in &mut all {
            times.round(tree, round)?;
        }
    }
    Ok(all.iter().flat_map(|times| times.figures(tree)).collect())
}

impl Times<'_> {
    fn round(&mut self, tree: &Tree, round: usize) -> anyhow::Result<()> {
        let test = self.test.clone();
        let test: Vec<&str> = test.iter().map(String::as_str).collect();
        let split = test
            .iter()
            .position(|word| *word == "--")
            .unwrap_or(test.len());
        // What other changes have left to be built is not this one's.
        tree.build("settle")?;
        tree.cargo("settle-tests", &[&test[..split], &["--no-run"]].concat())?;

        self.change.make(tree, round)?;
        let outcome = self.timed(tree, &test);
        self.change.revert(tree)?;
        outcome
    }

    fn timed(&mut self, tree: &Tree, test: &[&str]) -> anyhow::Result<()> {
        let build = tree.build("changed")?;
        self.build.push(build.done.time);
        self.rebuilt = build.rebuilt;
        let done = tree.cargo("changed-tests", test)?;
        let file = &self.change.leaf.file;
        ensure!(
            done.success,
            "the tests fail after a harmless change of {file}"
        );
        self.tests.push(done.time);
        self.ran = done
            .output
            .lines()
            .find(|line| line.starts_with("test result:"))
            .and_then(|line| line.split('.').nth(1)?.split(';').next())
            .map(|passed| passed.trim().to_owned());
        Ok(())
    }

    fn figures(&self, tree: &Tree) -> [Figure; 2] {
        let leaf = &self.change.leaf;
        let limit = |seconds| is_of_verb(leaf).then_some(seconds);
        let build = format!("cargo build after {}", leaf.file);
        let test = format!("  cargo {}", self.test.join(" "));
        let rebuilt = format!("rebuilt: {}", tree.units(&self.rebuilt));
        let ran = self.ran.clone().unwrap_or_default();
        [
            Figure::new(build, self.build.clone(), limit(BUILD_LIMIT_S)).with_remark(rebuilt),
            Figure::new(test, self.tests.clone(), limit(TEST_LIMIT_S)).with_remark(ran),
        ]
    }
}

fn metadata(tree: &Tree) -> anyhow::Result<Value> {
    let words = ["metadata", "--locked", "--no-deps", "--format-version=1"];
    // Not by `Tree::cargo`, since metadata knows no build folder.
    let output = std::process::Command::new("cargo")
        .args(words)
        .current_dir(&tree.folder)
        .output()
        .context("cargo does not start")?;
    ensure!(output.status.success(), "cargo metadata fails");
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// The words that run the unit tests of the changed file's room; all tests of a crate that keeps none in its sources.
fn test_words(metadata: &Value, tree: &Tree, change: &Change) -> anyhow::Result<Vec<String>> {
    let manifest = tree.folder.join(&change.folder).join("Cargo.toml");
    let package = package(metadata, &manifest)
        .with_context(|| format!("cargo does not know {}", change.folder.display()))?;
    let name = package["name"].as_str().context("a package has a name")?;
    let mut words = ["test", "--locked", "--package", name]
        .map(str::to_owned)
        .to_vec();
    match own_tests(package) {
        Some(flag) => {
            let filter = format!("{}::", change.leaf.room.replace('/', "::"));
            words.extend(flag);
            words.extend(["--".to_owned(), filter]);
        }
        None => words.push("--tests".to_owned()),
    }
    Ok(words)
}

fn package<'a>(metadata: &'a Value, manifest: &Path) -> Option<&'a Value> {
    let packages = metadata["packages"].as_array()?;
    let is_it = |it: &&Value| it["manifest_path"].as_str().map(Path::new) == Some(manifest);
    packages.iter().find(is_it)
}

/// How to choose the library or the program of a package, if it has tests.
fn own_tests(package: &Value) -> Option<Vec<String>> {
    let targets = package["targets"].as_array()?;
    targets.iter().find_map(|target| {
        let kind = target["kind"][0].as_str()?;
        if target["test"] != true {
            return None;
        }
        match kind {
            "lib" | "rlib" | "cdylib" | "proc-macro" => Some(vec!["--lib".to_owned()]),
            "bin" => {
                let name = target["name"].as_str()?.to_owned();
                Some(vec!["--bin".to_owned(), name])
            }
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_in_the_sources_are_preferred() {
        let package = serde_json::json!({"targets": [
            {"kind": ["test"], "name": "all", "test": true},
            {"kind": ["bin"], "name": "program", "test": true},
        ]});
        assert_eq!(own_tests(&package).unwrap(), ["--bin", "program"]);
        let without =
            serde_json::json!({"targets": [{"kind": ["lib"], "name": "x", "test": false}]});
        assert_eq!(own_tests(&without), None);
    }
}

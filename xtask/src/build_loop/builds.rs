//! What a build compiled anew, from cargo's own messages.

use std::path::{Path, PathBuf};

use anyhow::ensure;
use serde_json::Value;
use xtask_sources::unit_code;

use super::cargo::Done;
use super::tree::Tree;

/// A unit of compilation: a library, a program or a build script.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    pub name: String,
    pub kind: String,
    /// The file that it begins with.
    pub root: PathBuf,
}

/// A build, with the units that it compiled.
pub struct Build {
    pub done: Done,
    pub rebuilt: Vec<Unit>,
}

impl Tree {
    /// `cargo build`, which must succeed.
    pub fn build(&self, name: &str) -> anyhow::Result<Build> {
        let done = self.cargo(name, &["build", "--locked", "--message-format=json"])?;
        ensure!(done.success, "the build fails, so there is nothing to time");
        let rebuilt = rebuilt(&done.output);
        Ok(Build { done, rebuilt })
    }

    /// The units as a line, with the lines of code that are compiled with them.
    pub fn units(&self, units: &[Unit]) -> String {
        let shown = units.iter().map(|unit| {
            let code = self.code(unit);
            format!("{} ({}, {code} lines)", unit.name, unit.kind)
        });
        let shown: Vec<String> = shown.collect();
        if shown.is_empty() {
            "nothing".to_owned()
        } else {
            shown.join(", ")
        }
    }

    pub fn code(&self, unit: &Unit) -> usize {
        let root: &Path = &self.folder;
        unit_code(root, &unit.root)
    }
}

/// The units that were compiled and not taken from an earlier build.
fn rebuilt(messages: &str) -> Vec<Unit> {
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["reason"] == "compiler-artifact" && message["fresh"] == false)
        .map(|message| {
            let target = &message["target"];
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            Unit {
                name: text(&target["name"]),
                kind: text(&target["kind"][0]),
                root: text(&target["src_path"]).into(),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_units_that_are_not_fresh_count() {
        let messages = r#"{"reason":"compiler-artifact","fresh":true,"target":{"name":"a","kind":["lib"],"src_path":"/a.rs"}}
warning: of something
{"reason":"build-script-executed","package_id":"b"}
{"reason":"compiler-artifact","fresh":false,"target":{"name":"b","kind":["bin"],"src_path":"/b.rs"}}
"#;
        let expected = Unit {
            name: "b".to_owned(),
            kind: "bin".to_owned(),
            root: "/b.rs".into(),
        };
        assert_eq!(rebuilt(messages), [expected]);
    }
}

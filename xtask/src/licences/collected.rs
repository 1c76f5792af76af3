//! Collects the licence texts of packages with cargo-about.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use anyhow::{Context, ensure};
use serde_json::Value;

use crate::build::top;

const HEAD: &str = "\
# The Rust packages that locktoll is compiled from: name and version, licence, source; then each text of a licence or notice below the
# packages that it belongs to. `cargo xtask licences` writes this file.
";

/// Returns the file of notices of these packages.
pub fn collect(packages: &BTreeSet<String>) -> anyhow::Result<String> {
    let output = Command::new("cargo-about")
        .args(["generate", "--locked", "--format", "json"])
        .args(["--manifest-path", "crates/locktoll/Cargo.toml"])
        .current_dir(top())
        .stderr(std::process::Stdio::inherit())
        .output()
        .context("cannot start cargo-about: cargo install --locked cargo-about --features cli")?;
    ensure!(output.status.success(), "cargo-about failed");
    let answer: Value = serde_json::from_slice(&output.stdout)?;
    file(&answer, packages)
}

/// Makes the file from the answer of cargo-about, which also has the project's own packages.
fn file(answer: &Value, packages: &BTreeSet<String>) -> anyhow::Result<String> {
    let mut lines = BTreeSet::new();
    // By packages and licence, so that an unchanged set of packages gives an unchanged file.
    let mut texts: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
    for licence in answer["licenses"].as_array().context("no licences")? {
        let word = |field: &str| licence[field].as_str().unwrap_or_default();
        let mut users = BTreeSet::new();
        for user in licence["used_by"].as_array().into_iter().flatten() {
            let package = &user["crate"];
            let of = |field: &str| package[field].as_str().unwrap_or_default();
            let name = format!("{} {}", of("name"), of("version"));
            if packages.contains(&name) {
                lines.insert(format!(
                    "{name} | {} | https://crates.io/crates/{}/{}\n",
                    of("license"),
                    of("name"),
                    of("version")
                ));
                users.insert(name);
            }
        }
        if !users.is_empty() {
            let users: Vec<String> = users.into_iter().collect();
            let title = (users.join(", "), word("name").to_owned());
            texts.entry(title).or_default().insert(plain(word("text")));
        }
    }
    let mut file = HEAD.to_owned();
    file.extend(lines);
    for ((users, name), texts) in texts {
        for text in texts {
            file.push_str(&format!("\n==== {name}: {users}\n{text}\n"));
        }
    }
    Ok(file)
}

/// The text without trailing spaces and carriage returns. A line that looks like the beginning of another text is moved by a space.
fn plain(text: &str) -> String {
    let lines = text.trim_matches(['\n', '\r']).lines();
    let lines = lines.map(|line| match line.trim_end() {
        line if line.starts_with("====") => format!(" {line}"),
        line => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_several_packages_is_there_once_and_own_packages_are_not() {
        let package = |name: &str| serde_json::json!({"crate": {"name": name, "version": "1.0.0", "license": "MIT"}});
        let answer = serde_json::json!({"licenses": [
            {"name": "MIT License", "id": "MIT", "text": "Copyright\r\n====\r\n", "used_by": [package("b"), package("a"), package("own")]},
            {"name": "MIT License", "id": "MIT", "text": "Own", "used_by": [package("own")]},
        ]});
        let packages = ["a 1.0.0", "b 1.0.0"].map(str::to_owned).into();
        assert_eq!(
            file(&answer, &packages).unwrap().strip_prefix(HEAD),
            Some(
                "a 1.0.0 | MIT | https://crates.io/crates/a/1.0.0\n\
                 b 1.0.0 | MIT | https://crates.io/crates/b/1.0.0\n\
                 \n==== MIT License: a 1.0.0, b 1.0.0\nCopyright\n ====\n"
            )
        );
    }
}

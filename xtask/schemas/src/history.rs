//! Earlier versions of the stored schemas, from git: a change of the file itself cannot hide what it took away.

use std::process::Command;

use anyhow::{Context, bail};
use serde_json::Value;

use crate::generated::Generated;

/// An earlier version.
pub struct Earlier {
    /// The commit.
    pub commit: String,
    /// The schema at that commit.
    pub schema: Value,
}

/// Returns every version of the file that the history of HEAD has, the newest first; none where there is no history.
///
/// # Errors
/// If git fails, or a version is not JSON.
pub fn earlier(generated: &Generated) -> anyhow::Result<Vec<Earlier>> {
    let path = format!("docs/schemas/{}", generated.file());
    let Ok(commits) = git(&[
        "log",
        "--format=%H",
        "--diff-filter=AM",
        "HEAD",
        "--",
        &path,
    ]) else {
        return Ok(Vec::new());
    };
    let version = |commit: &str| {
        let text = git(&["show", &format!("{commit}:{path}")])?;
        let schema = serde_json::from_str(&text)
            .with_context(|| format!("{path} at {commit} is not JSON"))?;
        Ok(Earlier {
            commit: commit.to_owned(),
            schema,
        })
    };
    commits.lines().map(version).collect()
}

fn git(words: &[&str]) -> anyhow::Result<String> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let output = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(words)
        .output()?;
    if !output.status.success() {
        bail!(
            "git {}: {}",
            words.join(" "),
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    Ok(String::from_utf8(output.stdout)?)
}

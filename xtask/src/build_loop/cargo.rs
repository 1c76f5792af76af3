//! Runs cargo in the copy, timed.

use std::fs::File;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;

use super::tree::Tree;

/// Variables of the cargo that runs this task, which would reach the builds.
const OF_OUR_OWN_CARGO: [&str; 4] = [
    "CARGO_PKG_",
    "CARGO_MANIFEST_",
    "CARGO_TARGET_DIR",
    "LD_LIBRARY_PATH",
];

/// A command that has ended.
pub struct Done {
    pub time: Duration,
    pub success: bool,
    pub output: String,
}

impl Tree {
    /// Runs `cargo` with these words. What it says goes to a file of the logs, `name`.
    pub fn cargo(&self, name: &str, words: &[&str]) -> anyhow::Result<Done> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let log = |kind: &str| self.logs.join(format!("{name}.{kind}"));
        let out = log("stdout");
        let mut command = Command::new(cargo);
        // Words for the tests stand behind `--`.
        let split = words
            .iter()
            .position(|word| *word == "--")
            .unwrap_or(words.len());
        command
            .args(&words[..split])
            .arg("--target-dir")
            .arg(&self.target)
            .args(&words[split..])
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(File::create(&out)?)
            .stderr(File::create(log("stderr"))?);
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy();
            if OF_OUR_OWN_CARGO.iter().any(|own| name.starts_with(own)) {
                command.env_remove(&*name);
            }
        }
        eprintln!("cargo {} ...", words.join(" "));
        let start = Instant::now();
        let status = command.status().context("cargo does not start")?;
        let time = start.elapsed();
        let success = status.success();
        if !success {
            eprintln!("  {status}: see {}", log("stderr").display());
        }
        Ok(Done {
            time,
            success,
            output: String::from_utf8_lossy(&std::fs::read(&out)?).into_owned(),
        })
    }
}

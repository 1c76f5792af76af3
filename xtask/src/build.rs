//! Builds what a task needs.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

pub fn top() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask lies in the checkout")
}

/// Builds the program in release mode and says where it is.
pub fn locktoll() -> anyhow::Result<PathBuf> {
    cargo(
        "build",
        &["--release", "--package", "locktoll"],
        |message| message["executable"].as_str(),
    )
}

/// Builds an example of a package in release mode and says where it is.
pub fn example(package: &str, name: &str) -> anyhow::Result<PathBuf> {
    let words = ["--release", "--package", package, "--example", name];
    cargo("build", &words, |message| message["executable"].as_str())
}

/// Builds the libraries that go under programs as the program carries them, whatever the program itself is built for.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub fn libraries() -> anyhow::Result<()> {
    messages("build", &["--workspace", "--bin=locktoll"]).map(drop)
}

/// How the programs that measure are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// Fit for measuring.
    Release,
    /// As `cargo test --workspace` has built them already, but for the linking: for tests of what surrounds the figures.
    #[cfg(test)]
    Test,
}

/// Builds the program and the loops over condition variables, with these features of the lab; says where they are.
pub fn measuring(features: &[&str], profile: Profile) -> anyhow::Result<(PathBuf, PathBuf)> {
    let features: Vec<String> = features
        .iter()
        .map(|it| format!("locktoll-lab/{it}"))
        .collect();
    let features = format!("--features={}", features.join(","));
    let mut words = vec!["--bin=locktoll", "--example=monitors", &features];
    words.extend(match profile {
        Profile::Release => {
            ["--release", "--package=locktoll", "--package=locktoll-lab"].as_slice()
        }
        #[cfg(test)]
        Profile::Test => &["--workspace"],
    });
    let messages = messages("build", &words)?;
    let program = |name: &str| {
        let mut own = messages
            .iter()
            .filter(|message| message["target"]["name"] == name);
        let found = own.find_map(|message| message["executable"].as_str());
        found
            .map(PathBuf::from)
            .context("cargo did not name what it made")
    };
    Ok((program("locktoll")?, program("monitors")?))
}

/// Builds the preload library as the program carries it, and says where it is.
pub fn preload_library() -> anyhow::Result<PathBuf> {
    cargo(
        "build",
        &["--profile", "preload", "--package", "locktoll-preload"],
        |message| file_named(message, "preload.so"),
    )
}

/// Builds what the C libraries are made of, an archive of objects, and says where it is.
pub fn c_archive() -> anyhow::Result<PathBuf> {
    let words = "--lib --profile preload --package tollgate --no-default-features --features c-library --crate-type staticlib";
    let words: Vec<&str> = words.split(' ').collect();
    cargo("rustc", &words, |message| {
        file_named(message, "libtollgate.a")
    })
}

/// The file that cargo says it made and whose name ends so.
fn file_named<'a>(message: &'a serde_json::Value, ending: &str) -> Option<&'a str> {
    let mut files = message["filenames"].as_array()?.iter();
    files.find_map(|file| file.as_str().filter(|name| name.ends_with(ending)))
}

/// Builds what `words` say and gives the file that `made` finds in one of cargo's messages.
fn cargo(
    command: &str,
    words: &[&str],
    made: impl Fn(&serde_json::Value) -> Option<&str>,
) -> anyhow::Result<PathBuf> {
    let messages = messages(command, words)?;
    let found = messages.iter().find_map(made);
    found
        .map(PathBuf::from)
        .context("cargo did not name what it made")
}

/// Builds what `words` say and gives cargo's messages: where it put the programs, whatever target folder is in force.
fn messages(command: &str, words: &[&str]) -> anyhow::Result<Vec<serde_json::Value>> {
    let output = cargo_by_hand()
        .arg(command)
        .args(words)
        .arg("--message-format=json")
        .stderr(std::process::Stdio::inherit())
        .output()
        .context("cannot start cargo")?;
    ensure!(output.status.success(), "cargo {command} failed");
    let lines = String::from_utf8_lossy(&output.stdout);
    let messages = lines
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    Ok(messages.collect())
}

/// Cargo as a person starts it in the checkout: without the variables that the cargo around a test or a task has set. One build script
/// (that of ring) runs again if they change, and with it the TLS library and all that uses it would be compiled anew.
pub fn cargo_by_hand() -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    for (name, _) in std::env::vars_os() {
        let of_a_package = [
            "CARGO_MANIFEST_",
            "CARGO_PKG_",
            "CARGO_BIN_",
            "CARGO_CRATE_",
        ];
        let text = name.to_string_lossy();
        if of_a_package.iter().any(|it| text.starts_with(it)) {
            cargo.env_remove(&name);
        }
    }
    cargo.current_dir(top());
    cargo
}

/// Compiles a C program of the checkout with optimisation.
pub fn c_program(source: &str, into: &Path) -> anyhow::Result<PathBuf> {
    let source = top().join(source);
    let program = into.join(source.file_stem().context("a source has a name")?);
    let status = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()))
        .args(["-O2", "-pthread", "-o"])
        .arg(&program)
        .arg(&source)
        .status()
        .context("cannot start the C compiler")?;
    ensure!(status.success(), "{} does not compile", source.display());
    Ok(program)
}

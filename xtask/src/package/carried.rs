//! The sources of the two libraries as the crate `locktoll` carries them: a workspace of a few crates without their tests.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};
use toml::{Table, Value};

use super::crates::CARRIED;
use super::tree::emptied;

/// Cargo leaves a folder with a `Cargo.toml` out of a package. `build.rs` takes this ending away.
const ENDING: &str = ".carried";

/// Writes the workspace into the crate `locktoll` of a copied tree.
pub fn write(tree: &Path) -> anyhow::Result<()> {
    let folder = tree.join("crates/locktoll/carried");
    emptied(&folder)?;
    let mut whole = table(&tree.join("Cargo.toml"))?;
    let mut used = Vec::new();
    for name in CARRIED {
        let from = tree.join("crates").join(name);
        let mut manifest = table(&from.join("Cargo.toml"))?;
        reduce(&mut manifest);
        names_of_dependencies(&manifest, &mut used);
        copy_folder(&from.join("src"), &folder.join(name).join("src"))?;
        let to = folder.join(name).join("Cargo.toml");
        fs::write(to, toml::to_string(&manifest)?)?;
    }
    root(&mut whole, &used)?;
    fs::write(folder.join("Cargo.toml"), toml::to_string(&whole)?)?;
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        fs::copy(tree.join(licence), folder.join(licence))?;
    }
    lock(tree, &folder)?;
    rename(&folder)
}

fn table(file: &Path) -> anyhow::Result<Table> {
    let text =
        fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    toml::from_str(&text).with_context(|| format!("cannot parse {}", file.display()))
}

/// Removes what only tests, other systems and models need. The libraries exist on Linux alone.
fn reduce(manifest: &mut Table) {
    for part in [
        "dev-dependencies",
        "build-dependencies",
        "bench",
        "test",
        "example",
    ] {
        manifest.remove(part);
    }
    if let Some(targets) = manifest.get_mut("target").and_then(Value::as_table_mut) {
        targets.retain(|system, _| !system.contains("windows") && !system.contains("loom"));
        for target in targets.iter_mut().filter_map(|(_, it)| it.as_table_mut()) {
            target.remove("dev-dependencies");
        }
    }
}

/// Appends the names of all that a manifest depends on.
fn names_of_dependencies(manifest: &Table, names: &mut Vec<String>) {
    let targets = manifest.get("target").and_then(Value::as_table);
    let targets = targets.into_iter().flat_map(|all| all.values());
    for part in targets.filter_map(Value::as_table).chain([manifest]) {
        if let Some(dependencies) = part.get("dependencies").and_then(Value::as_table) {
            names.extend(dependencies.keys().cloned());
        }
    }
}

/// Turns the project's workspace into one of the carried crates.
fn root(whole: &mut Table, used: &[String]) -> anyhow::Result<()> {
    // The others are for the program and its tests.
    let profiles = whole.get_mut("profile").and_then(Value::as_table_mut);
    profiles
        .context("no profiles")?
        .retain(|name, _| name == "preload" || name == "release");
    let workspace = whole.get_mut("workspace").and_then(Value::as_table_mut);
    let workspace = workspace.context("the manifest at the top is not a workspace")?;
    workspace.remove("default-members");
    let members = CARRIED.iter().map(|name| Value::from(*name)).collect();
    workspace.insert("members".to_owned(), Value::Array(members));
    let dependencies = workspace
        .get_mut("dependencies")
        .and_then(Value::as_table_mut)
        .context("no dependencies")?;
    dependencies.retain(|name, _| used.iter().any(|it| it == name));
    for dependency in dependencies
        .iter_mut()
        .filter_map(|(_, it)| it.as_table_mut())
    {
        if let Some(Value::String(path)) = dependency.get_mut("path") {
            *path = path.trim_start_matches("crates/").to_owned();
        }
    }
    Ok(())
}

/// Takes over the versions that the project's tests run with, without the packages that the libraries do not need.
fn lock(tree: &Path, folder: &Path) -> anyhow::Result<()> {
    fs::copy(tree.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    // All of these packages are in the lock; the network is asked only if cargo has never downloaded them.
    let update = |words: &[&str]| {
        Command::new(env!("CARGO"))
            .args(["update", "--workspace", "--quiet"])
            .args(words)
            .current_dir(folder)
            .output()
    };
    if update(&["--offline"])?.status.success() {
        return Ok(());
    }
    let online = update(&[])?;
    ensure!(
        online.status.success(),
        "cargo cannot lock the versions of the carried crates: {}",
        String::from_utf8_lossy(&online.stderr).trim()
    );
    Ok(())
}

/// Gives manifests and the lock their further ending.
fn rename(folder: &Path) -> anyhow::Result<()> {
    let folders = CARRIED.iter().map(|name| folder.join(name));
    for folder in folders.chain([folder.to_owned()]) {
        for name in ["Cargo.toml", "Cargo.lock"] {
            let file = folder.join(name);
            if file.exists() {
                fs::rename(&file, folder.join(format!("{name}{ENDING}")))?;
            }
        }
    }
    Ok(())
}

fn copy_folder(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &to)?;
        } else {
            fs::copy(entry.path(), &to)?;
        }
    }
    Ok(())
}

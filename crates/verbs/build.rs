//! Embeds the published claims and the notices of packages into the crate, and makes the table of its verbs.

use std::env;
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::ZlibEncoder;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if let Err(reason) = carry_experiments()
        .and_then(|()| list_verbs())
        .and_then(|()| carry_notices())
    {
        // `cargo::error` ends the build with this line alone, without a panic around it.
        println!("cargo::error={}", reason.replace('\n', " "));
    }
}

/// Lists the published claims of `experiments/`, name and text, as an expression that the source includes.
fn carry_experiments() -> Result<(), String> {
    // In a published crate they lie in it, since a crate has no files from outside (`cargo xtask package`).
    let here = required("CARGO_MANIFEST_DIR")?;
    let folder = [here.join("../../experiments"), here.join("experiments")];
    let [in_checkout, packed] = &folder;
    let folder = if in_checkout.is_dir() {
        in_checkout
    } else {
        packed
    };
    let unreadable = |error: std::io::Error| format!("cannot read {}: {error}", folder.display());
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .map_err(unreadable)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .map_err(unreadable)?;
    files.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    files.sort();
    let mut list = String::from("&[\n");
    for file in files {
        println!("cargo:rerun-if-changed={}", file.display());
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let text = std::fs::read_to_string(&file)
            .map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        list.push_str(&format!("({name:?}, {text:?}),\n"));
    }
    list.push_str("]\n");
    let carried = required("OUT_DIR")?.join("experiments.rs");
    std::fs::write(&carried, list)
        .map_err(|error| format!("cannot write {}: {error}", carried.display()))
}

/// Lists the verbs as `src/lib.rs` does, for the macro `verbs!`: `mod trial; // locktoll try` becomes `Try: trial::TryArgs;`. An
/// attribute on the line before, which says what system has the verb, goes with it.
fn list_verbs() -> Result<(), String> {
    let file = required("CARGO_MANIFEST_DIR")?.join("src/lib.rs");
    println!("cargo:rerun-if-changed={}", file.display());
    let source = std::fs::read_to_string(&file)
        .map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let mut list = String::from("verbs! {\n");
    let mut before = "";
    for line in source.lines() {
        if let Some((room, verb)) = line.split_once("; // locktoll ") {
            let room = room
                .strip_prefix("mod ")
                .ok_or_else(|| format!("{}: `{line}` is not a verb's line", file.display()))?;
            let system = if before.starts_with("#[") { before } else { "" };
            let (first, rest) = verb.split_at(verb.len().min(1));
            let name = first.to_uppercase() + rest;
            list.push_str(&format!("{system} {name}: {room}::{name}Args;\n"));
        }
        before = line;
    }
    list.push_str("}\n");
    let table = required("OUT_DIR")?.join("verbs.rs");
    std::fs::write(&table, list)
        .map_err(|error| format!("cannot write {}: {error}", table.display()))
}

/// Compresses the notices of the packages that the program contains.
fn carry_notices() -> Result<(), String> {
    let file = required("CARGO_MANIFEST_DIR")?.join("notices/packages.txt");
    println!("cargo:rerun-if-changed={}", file.display());
    let text =
        std::fs::read(&file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let carried = required("OUT_DIR")?.join("notices.z");
    let unwritable = |error| format!("cannot write {}: {error}", carried.display());
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
    packed.write_all(&text).map_err(unwritable)?;
    std::fs::write(&carried, packed.finish().map_err(unwritable)?).map_err(unwritable)
}

/// A path that cargo gives to every build script.
fn required(name: &str) -> Result<PathBuf, String> {
    match env::var_os(name) {
        Some(value) => Ok(Path::new(&value).to_owned()),
        None => Err(format!("cargo did not set {name}")),
    }
}

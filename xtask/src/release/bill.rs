//! The software bill of materials: all packages that the program is compiled from (CycloneDX 1.5, by cargo-cyclonedx).

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};
use serde_json::Value;

/// The two crates whose dependencies are in the program. The program embeds the recorder as a file, so cargo does not list the recorder as
/// a dependency.
const CARRIER: &str = "crates/locktoll";
const CARRIED: &str = "crates/preload";

/// Writes the bill of the program in the folder `tree` into `file`. `seconds` is its time.
pub fn write(tree: &Path, triple: &str, seconds: u64, file: &Path) -> anyhow::Result<()> {
    let mut bill = of(tree, CARRIER, triple, seconds)?;
    let carried = of(tree, CARRIED, triple, seconds)?;
    add(&mut bill, carried)?;
    // The packages of the checkout are named by where they are. That is not the same in two folders.
    let text = serde_json::to_string_pretty(&bill)?
        .replace(&format!("file://{}", tree.display()), "file:///locktoll");
    ensure!(
        !text.contains(&*tree.to_string_lossy()),
        "the bill contains the name of the folder {}",
        tree.display()
    );
    fs::write(file, text + "\n").with_context(|| format!("cannot write {}", file.display()))
}

fn of(tree: &Path, folder: &str, triple: &str, seconds: u64) -> anyhow::Result<Value> {
    let manifest = tree.join(folder).join("Cargo.toml");
    let status = Command::new(env!("CARGO"))
        .args([
            "cyclonedx",
            "--quiet",
            "--format",
            "json",
            "--no-build-deps",
        ])
        .args(["--spec-version", "1.5", "--override-filename", "bill"])
        .args(["--target", triple, "--manifest-path"])
        .arg(&manifest)
        .env("SOURCE_DATE_EPOCH", seconds.to_string())
        .status()?;
    ensure!(
        status.success(),
        "cargo cyclonedx failed: cargo install --locked cargo-cyclonedx"
    );
    let file = tree.join(folder).join("bill.json");
    serde_json::from_slice(&fs::read(&file)?)
        .with_context(|| format!("no bill: {}", file.display()))
}

/// Adds the packages of another bill, and the crate that it describes, to this one.
fn add(bill: &mut Value, mut other: Value) -> anyhow::Result<()> {
    let mut described = other["metadata"]["component"].take();
    // A part, no longer the thing described.
    described["type"] = "library".into();
    let listed = |it: &mut Value, name: &str| match it[name].take() {
        Value::Array(items) => Ok(items),
        _ => Err(anyhow::anyhow!("the bill has no list {name:?}")),
    };
    let key = |item: &Value| -> String {
        let own = item.get("bom-ref").or_else(|| item.get("ref"));
        own.and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    for name in ["components", "dependencies"] {
        let mut items = listed(bill, name)?;
        let known: BTreeSet<String> = items.iter().map(key).collect();
        let mut further = listed(&mut other, name)?;
        if name == "components" {
            further.push(described.take());
        }
        items.extend(
            further
                .into_iter()
                .filter(|item| !known.contains(&key(item))),
        );
        items.sort_by_key(key);
        bill[name] = items.into();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_carried_is_a_part_and_nothing_comes_twice() {
        let bill = |name: &str, parts: &[&str]| {
            json!({
                "metadata": { "component": { "type": "application", "bom-ref": name } },
                "components": parts.iter().map(|it| json!({ "bom-ref": it })).collect::<Vec<_>>(),
                "dependencies": [{ "ref": name, "dependsOn": parts }],
            })
        };
        let mut whole = bill("program", &["b", "a"]);
        add(&mut whole, bill("carried", &["c", "a"])).unwrap();
        let references = |list: &str, name: &str| -> Vec<String> {
            let items = whole[list].as_array().unwrap();
            items
                .iter()
                .map(|it| it[name].as_str().unwrap().to_owned())
                .collect()
        };
        assert_eq!(
            references("components", "bom-ref"),
            ["a", "b", "c", "carried"]
        );
        assert_eq!(references("dependencies", "ref"), ["carried", "program"]);
        assert_eq!(whole["metadata"]["component"]["bom-ref"], "program");
        assert!(add(&mut whole, json!({})).is_err());
    }
}

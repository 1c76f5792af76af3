//! Every type of a result is part of its JSON Schema.

use std::path::Path;

/// The attribute that a type needs.
const DERIVES: &str = r#"#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]"#;

#[test]
fn every_type_that_results_write_has_a_schema() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut lacking = Vec::new();
    walk(&root.join("crates/results/src"), &mut |path, text| {
        let product = text.split("#[cfg(test)]\nmod ").next().unwrap_or(text);
        let lines: Vec<&str> = product.lines().map(str::trim).collect();
        for (at, line) in lines.iter().enumerate() {
            let writes = line.starts_with("#[derive(")
                && line.split([' ', ',', '(', ')']).any(|it| it == "Serialize");
            if writes && lines.get(at + 1) != Some(&DERIVES) {
                lacking.push(format!("{}:{}", path.display(), at + 1));
            }
        }
    });
    assert!(
        lacking.is_empty(),
        "the line after `derive` must be {DERIVES}, then run `cargo xtask schemas`:\n{}",
        lacking.join("\n")
    );
}

fn walk(folder: &Path, file: &mut impl FnMut(&Path, &str)) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, file);
        } else if path.extension().is_some_and(|it| it == "rs") {
            file(&path, &std::fs::read_to_string(&path).unwrap());
        }
    }
}

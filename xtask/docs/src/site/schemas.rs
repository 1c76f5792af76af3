//! A page for each schema: its fields, their types and meanings.

use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::Value;

/// A page that was made of a schema.
pub struct SchemaPage {
    /// `locktoll.profile/1`.
    pub title: String,
    /// Its path in the site.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
}

/// Returns the pages of all stored schemas, in order.
///
/// # Errors
/// If a schema cannot be read.
pub fn pages(root: &Path) -> anyhow::Result<Vec<SchemaPage>> {
    let folder = root.join("docs/schemas");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .with_context(|| format!("cannot read {}", folder.display()))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.retain(|file| file.extension().is_some_and(|it| it == "json"));
    files.sort();
    files.iter().map(|file| page(file)).collect()
}

fn page(file: &Path) -> anyhow::Result<SchemaPage> {
    let schema: Value = serde_json::from_slice(&std::fs::read(file)?)
        .with_context(|| format!("{} is not JSON", file.display()))?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let title = schema["title"].as_str().unwrap_or(&name).to_owned();
    let mut text = format!(
        "# `{title}`\n\n{}\n\nThe [JSON Schema]({name}) has the same for programs; [what may change](index.md#what-may-change) in it.\n",
        words(&schema)
    );
    text.push_str(&table(&schema));
    let parts = schema["$defs"].as_object().into_iter().flatten();
    for (name, part) in parts {
        text.push_str(&format!("\n## `{name}`\n\n{}\n", words(part)));
        text.push_str(&table(part));
    }
    let path = Path::new("docs/schemas").join(&*name).with_extension("md");
    Ok(SchemaPage { title, path, text })
}

/// Returns the table of an object's fields, of the forms that it may have, or of the words of a text.
fn table(schema: &Value) -> String {
    let mut table = String::new();
    if let Some(fields) = schema["properties"].as_object() {
        table.push_str("\n| field | type | meaning |\n|---|---|---|\n");
        let required: Vec<&str> = schema["required"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        for (name, field) in fields {
            let absent = if required.contains(&name.as_str()) {
                ""
            } else {
                "; may be absent"
            };
            let (kind, meaning) = (kind(field), words(field));
            table.push_str(&format!("| `{name}` | {kind}{absent} | {meaning} |\n"));
        }
    }
    for form in forms(schema) {
        match form["const"].as_str() {
            Some(word) => table.push_str(&format!("\n- `\"{word}\"`: {}", words(form))),
            None => {
                table.push_str(&format!("\nEither: {}\n", words(form)));
                table.push_str(&self::table(form));
            }
        }
    }
    if !table.ends_with('\n') {
        table.push('\n');
    }
    table
}

fn forms(schema: &Value) -> impl Iterator<Item = &Value> {
    let lists = ["oneOf", "anyOf"].map(|key| schema[key].as_array());
    lists.into_iter().flatten().flatten()
}

/// Returns the type of a value, with a link where it is described further below.
fn kind(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.rsplit('/').next().unwrap_or(name);
        return format!("[{name}](#{})", crate::headings::slug(name));
    }
    if let Some(word) = schema["const"].as_str() {
        return format!("`\"{word}\"`");
    }
    if let Some(words) = schema["enum"].as_array() {
        let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
        return words.join(", ");
    }
    let choices: Vec<String> = forms(schema).map(kind).collect();
    if !choices.is_empty() {
        return choices.join(" or ");
    }
    let kinds: Vec<String> = match &schema["type"] {
        Value::String(kind) => vec![noun(kind, schema)],
        Value::Array(kinds) => kinds
            .iter()
            .filter_map(Value::as_str)
            .map(|kind| noun(kind, schema))
            .collect(),
        _ => vec!["any value".to_owned()],
    };
    kinds.join(" or ")
}

fn noun(kind: &str, schema: &Value) -> String {
    match kind {
        "array" if schema["items"].is_object() => {
            format!("list of {}", self::kind(&schema["items"]))
        }
        "array" => "list".to_owned(),
        "object" if schema["additionalProperties"].is_object() => {
            format!("map to {}", self::kind(&schema["additionalProperties"]))
        }
        "integer" => "whole number".to_owned(),
        "string" => "text".to_owned(),
        other => other.to_owned(),
    }
}

/// Returns the description on one line. Links of the sources' documentation become plain names.
fn words(schema: &Value) -> String {
    let text = schema["description"].as_str().unwrap_or_default();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = text
        .replace("[`", "`")
        .replace("`]", "`")
        .replace('|', "\\|");
    // `name`(Self::name): what is in parentheses is a path in the sources.
    let mut plain = String::new();
    let mut rest = text.as_str();
    while let Some((before, behind)) = rest.split_once("`(") {
        plain.push_str(before);
        plain.push('`');
        match behind.split_once(')') {
            Some((path, after)) if path.contains("::") || !path.contains(' ') => rest = after,
            _ => {
                plain.push('(');
                rest = behind;
            }
        }
    }
    plain.push_str(rest);
    plain.replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn types_are_words() {
        for (schema, words) in [
            (json!({"type": ["number", "null"]}), "number or null"),
            (
                json!({"type": "array", "items": {"$ref": "#/$defs/LockRow"}}),
                "list of [LockRow](#lockrow)",
            ),
            (
                json!({"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]}),
                "[A](#a) or null",
            ),
            (
                json!({"type": "object", "additionalProperties": {"type": "integer"}}),
                "map to whole number",
            ),
            (json!({"const": "x"}), "`\"x\"`"),
        ] {
            assert_eq!(kind(&schema), words);
        }
    }

    #[test]
    fn names_of_the_sources_are_plain() {
        let text = json!({"description": "The value of [`schema`](Self::schema), as [`Made`]; a `x` (in ns) | y"});
        assert_eq!(
            words(&text),
            "The value of `schema`, as `Made`; a `x` (in ns) \\| y"
        );
    }
}

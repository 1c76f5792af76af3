//! Pages to open.

use serde_json::Value;

use locktoll_shown::html;

/// A page of these documents.
pub fn of(documents: &[Value]) -> String {
    html::page("locktoll", documents).unwrap()
}

/// A document under `documents/`, which the unit test of the same name keeps.
pub fn document(name: &str) -> Value {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/page/documents");
    let file = format!("{folder}/{name}.snap.json");
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
    serde_json::from_str(&text).unwrap()
}

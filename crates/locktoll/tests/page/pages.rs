//! Pages to open.

use serde_json::Value;

use super::html;

/// A page of these documents.
pub fn of(documents: &[Value]) -> String {
    html::page("locktoll", documents).unwrap()
}

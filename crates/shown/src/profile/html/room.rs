//! The sizes of a page's parts.

use serde_json::Value;

/// The size of a document in a page, in bytes: with the scripts around it, the page stays below 2 MB.
pub const DOCUMENT: usize = 540_000;

/// Returns the number of bytes that a value takes in a page, where a `<` is written as `\u003c`.
pub fn bytes(value: &Value) -> usize {
    let text = value.to_string();
    text.len() + 5 * text.bytes().filter(|&byte| byte == b'<').count()
}

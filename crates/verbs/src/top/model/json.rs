//! An interval as a line of JSON: the schema `locktoll.top/1`.

use locktoll_results::top::{Interval, Top};

/// Returns the interval as one line with its newline. Characters that could control a terminal are written as JSON escapes.
///
/// # Errors
/// This cannot fail: the document consists of numbers and text.
pub fn json_line(interval: &Interval) -> anyhow::Result<String> {
    let text = serde_json::to_string(&Top::of(interval))?;
    let mut line = String::with_capacity(text.len() + 1);
    for character in text.chars() {
        match u32::from(character) {
            // JSON itself escapes only characters below U+0020; a terminal also takes U+009B for the beginning of a command.
            code @ 0x7f..=0x9f => line.push_str(&format!("\\u{code:04x}")),
            _ => line.push(character),
        }
    }
    line.push('\n');
    Ok(line)
}

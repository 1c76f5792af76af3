//! One interval as a line of JSON: the schema `locktoll.watch/1`.

use locktoll_lab::watch::{Interval, Limits, Subject};
use serde::Serialize;

use super::page::Block;
use crate::json;

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    /// The watched process; absent if the machine is watched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pid: Option<u32>,
    looks: u32,
    #[serde(flatten)]
    interval: &'a Interval,
    /// In the first line only.
    #[serde(skip_serializing_if = "Option::is_none")]
    limits: Option<&'a Limits>,
}

/// Returns the interval as one line, including its line end. Characters that a terminal might interpret are written as JSON
/// escapes.
///
/// # Errors
/// None in practice: the document consists of numbers and text.
pub fn json_line(block: &Block) -> anyhow::Result<String> {
    let document = Document {
        schema: "locktoll.watch/1",
        pid: match block.subject {
            Subject::Machine => None,
            Subject::Process(pid) => Some(pid),
        },
        looks: block.looks,
        interval: block.interval,
        limits: block.with_notes.then_some(block.limits),
    };
    let text = serde_json::to_string(&document)?;
    Ok(json::visible(&text, |_| false) + "\n")
}

//! One interval as a line of JSON: the schema `locktoll.watch/1`.

use locktoll_lab::watch::Subject;
use locktoll_results::watch::Watch;

use super::page::Block;
use crate::json;

/// Returns the interval as one line, including its line end. Characters that a terminal might interpret are written as JSON
/// escapes.
///
/// # Errors
/// None in practice: the document consists of numbers and text.
pub fn json_line(block: &Block) -> anyhow::Result<String> {
    let document = Watch {
        schema: "locktoll.watch/1",
        pid: match block.subject {
            Subject::Machine => None,
            Subject::Process(pid) => Some(pid),
        },
        looks: block.looks,
        interval: block.interval,
        limits: block.with_notes.then_some(block.limits),
    };
    json::line(&document)
}

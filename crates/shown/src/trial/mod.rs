//! A trial's result as text for a terminal.
//!
//! - `page`: the page from top to bottom; `head`: what was run, and how.
//! - `table`: one row a candidate, in as many columns as fit.
//! - `dropped`: what was not run to the end, and why; `covered`: what was replaced; `notes`: how to read and how far to
//!   trust it.
//! - `words`: metrics, ratios and verdicts in words.

mod covered;
mod dropped;
mod head;
mod notes;
mod page;
mod table;
mod words;

#[cfg(all(test, target_os = "linux"))]
mod snapshots;

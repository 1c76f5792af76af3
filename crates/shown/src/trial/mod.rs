//! A trial's result as text for a terminal.
//!
//! - `page`: the page from top to bottom; `head`: the command, the metric and the rounds.
//! - `table`: one row per candidate, in as many columns as fit.
//! - `dropped`: the candidates that were dropped, and the reasons; `covered`: the replaced objects; `notes`: the
//!   meaning of the table, and how far to trust it.
//! - `words`: metrics, ratios and verdicts in words.

mod covered;
mod dropped;
mod head;
mod notes;
mod page;
mod table;
mod words;

pub use head::metric_words;

#[cfg(all(test, target_os = "linux"))]
mod snapshots;

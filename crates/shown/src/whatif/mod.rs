//! The gains of shorter holds as text for a terminal.
//!
//! - `page`: the page from top to bottom; `table`: one row per lock; `notes`: the meaning of the table, and its limits.

mod notes;
mod page;
mod table;

#[cfg(all(test, target_os = "linux"))]
mod snapshots;

//! Advice as text for a terminal.
//!
//! - `page`: the page from top to bottom; `remedy`: one remedy; `sweep`: measured numbers of threads.

mod page;
mod remedy;
mod sweep;

#[cfg(all(test, target_os = "linux"))]
mod snapshots;

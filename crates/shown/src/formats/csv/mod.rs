//! Tables for spreadsheets and data frames: comma-separated, quoted where needed (RFC 4180), a heading, times in
//! nanoseconds, and an empty cell for a figure that was not measured.

mod columns;
mod preempted;
mod table;

pub use table::FORMAT;

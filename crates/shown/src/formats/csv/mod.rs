//! Tables for spreadsheets and data frames: comma-separated, quoted where needed (RFC 4180), a heading, times in
//! nanoseconds, an empty cell where nothing was measured.

mod columns;
mod preempted;
mod table;

pub use table::FORMAT;

//! `compare`: its rows as text, and the page for people.
//!
//! - `text`: the page; `summary`: the verdict in one line; `table`: the rows in columns; `amounts`: figures.

mod amounts;
mod summary;
mod table;
mod text;

pub use amounts::{amount, ratio};
pub use text::{Page, ROWS_OF_PAGES};

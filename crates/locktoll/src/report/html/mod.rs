//! A page for a browser: one file, which needs no network.

mod page;

pub use page::page;

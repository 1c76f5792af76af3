//! A page for a browser: one file, which needs no network.

mod form;
mod page;

pub use form::Html;
pub use page::page;

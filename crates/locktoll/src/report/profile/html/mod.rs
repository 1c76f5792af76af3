//! A profile as a page for a browser.

mod form;

pub use form::Html;

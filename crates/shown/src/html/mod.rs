//! A page for a browser: one file that needs no network. It identifies a result only by its schema.
//!
//! - `page`: the template, the data and the scripts, put together.
//! - `assets`: the template, the style and the scripts, each a separate file under `assets/`; `assets/page.js` explains how to
//!   add a drawer for a schema.
//! - `lean`: locktoll's scripts and styles without comments and spaces.
//! - `plain_tables`: the tables that a browser shows if it does not run scripts.
//! - `timeline_blocks`: the blocks of a timeline, each in an element of its own.
//! - `vendored`: the charting library, as published.
//! - `stand_in`: the label of figures from a stand-in, above everything else.
//! - `policy`: the things that the browser must forbid.

mod assets;
mod lean;
mod page;
mod plain_tables;
mod policy;
mod stand_in;
mod timeline_blocks;
mod vendored;

pub use page::{page, page_with};
pub use stand_in::stand_in_words;
pub use vendored::licences;

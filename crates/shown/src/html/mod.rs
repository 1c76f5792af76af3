//! A page for a browser: one file, which needs no network. It knows no result but by its schema.
//!
//! - `page`: the template, the data and the scripts, put together.
//! - `assets`: the template, the style and the scripts, each a file of its own under `assets/`; `assets/page.js` says how
//!   a schema gets a drawer.
//! - `lean`: our scripts and styles without comments and spaces.
//! - `vendored`: the charting library, as published.
//! - `stand_in`: what is not from the real thing, said above all else.
//! - `policy`: what the browser is told to forbid.

mod assets;
mod lean;
mod page;
mod policy;
mod stand_in;
mod vendored;

pub use page::page;
pub use stand_in::stand_in_words;

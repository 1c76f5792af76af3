//! The documentation of this workspace, read by programs.
//!
//! - [`pages`]: which files there are; [`headings`]: the anchors of a page.
//! - [`links`]: the links of a page, and those that lead nowhere.
//! - [`session`]: the sessions with `$` in a page, run again and compared.
//! - [`site`]: the site, made of the same pages by mdBook.

pub mod headings;
pub mod links;
pub mod pages;
pub mod session;
pub mod site;

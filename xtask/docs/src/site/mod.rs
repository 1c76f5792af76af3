//! The site: the pages of the checkout at their own paths, so that their links to each other stay as they are, and pages made
//! of what the program says.
//!
//! - `chapters`: the order of the pages. `gather`: the pages and the files that they link to, copied.
//! - `refusals`: a page for each refusal, from the snapshot of the refusals; `schemas`: a page for each schema.
//! - `sources`: all of it as a folder for mdBook; `book`: the task, which runs mdBook.
//! - `built`: the links of the finished site.

mod book;
mod built;
mod chapters;
mod gather;
mod refusals;
mod schemas;
mod sources;

pub use book::run;
pub use built::faults;
pub use refusals::{Refusal, refusals};
pub use sources::{SOURCE, write};

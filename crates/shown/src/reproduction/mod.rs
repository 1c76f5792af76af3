//! `reproduce`: each claim with its verdict, for a terminal (`text`) and for a repository (`markdown`, `page`); the same of
//! several machines (`merged_text`, `merged_markdown`). `picture` draws a claim.

mod figures_from;
mod histograms;
mod markdown;
mod merged_markdown;
mod merged_text;
mod page;
mod picture;
#[cfg(test)]
mod snapshots;
mod text;

pub use markdown::reproduction_markdown;
pub use merged_markdown::merged_markdown;
pub use page::Page;
pub use text::{short, verdict_words};

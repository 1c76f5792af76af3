//! `reproduce`: each claim with its verdict, for a terminal (`text`) and for a repository (`markdown`).

mod figures_from;
mod markdown;
#[cfg(test)]
mod snapshots;
mod text;

pub use markdown::reproduction_markdown;
pub use text::{interval, short, verdict_words};

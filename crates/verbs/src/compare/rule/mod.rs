//! The language of `--fail-if`: what must not be.
//!
//! ```text
//! RULE      = CONDITION { "and" CONDITION }
//! CONDITION = FIGURE [ "[" ROWS "]" ] ( ">" | "<" ) AMOUNT
//!           | VERDICT [ "[" ROWS "]" ]
//! AMOUNT    = NUMBER "x"                B over A
//!           | NUMBER UNIT | NUMBER      the figure in B
//! VERDICT   = slower | faster | changed | only_a | only_b
//! ```
//!
//! A rule is broken by a row for which all of its conditions are true. A ratio is beyond a factor when all of its interval
//! is, and beyond what equal things differed by; where there is no interval, the ratio alone decides. Where equal things
//! differed by more than the bound, rows in between are not judged. ROWS, given once, is a row's key, its name, or a part of
//! them.
//!
//! - `parse`: from words to a [`Rule`]; `judge`: which of its `rows` break it, by the `answer` of each; `why`: what keeps a row from being judged;
//!   `chance`: which differences remain among many rows.

mod answer;
mod chance;
mod judge;
mod parse;
mod rows;
mod why;

#[cfg(test)]
mod tests;

pub use judge::judge;
pub use parse::{Amount, Condition, Rule, Side};

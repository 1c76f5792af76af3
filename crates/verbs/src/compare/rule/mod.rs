//! The language of `--fail-if`, which describes forbidden changes.
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
//! A rule is broken by a row for which all of its conditions are true. A ratio is beyond a factor if its whole interval is, and
//! if it is also beyond the A/A pair's difference. Without an interval, the ratio alone decides. If the A/A pair differed by
//! more than the bound, rows in between are not judged. ROWS, given once, is a row's key, its name, or a part of them.
//!
//! - `parse`: from words to a [`Rule`]; `judge`: those of its `rows` that break it, by the `answer` of each; `why`: the reasons
//!   why a row cannot be judged; `chance`: the differences that remain among many rows.

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

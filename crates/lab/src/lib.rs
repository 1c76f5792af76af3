//! Everything that measures.
pub mod cell;
pub mod contender;

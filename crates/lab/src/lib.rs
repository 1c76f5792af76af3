//! Everything that measures.
pub mod cell;
pub mod clock;
pub mod contender;
pub mod stats;

//! The instructions around a sample.
//!
//! - `explore`: the instructions that can be reached, with the functions that they call put in their place;
//! - `indirect`: where an indirect jump or call goes;
//! - `nest`: the loops among them.

mod explore;
mod indirect;
pub mod nest;

pub use explore::{Decoded, Graph, Index, PER_CALL, Reach};

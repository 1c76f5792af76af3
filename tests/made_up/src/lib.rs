//! Made-up results for tests of what people read: every figure is known, none was measured.
//!
//! - [`made_up`]: results of the verbs; [`sample`]: profiles; [`mock`]: a runner that answers from a table.

pub mod made_up;
pub mod mock;
pub mod sample;

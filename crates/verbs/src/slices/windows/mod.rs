//! Processes that run one slice each.
//!
//! - `parent`: starts them without the console, and ends them. `job` ends them with this process, `answer` reads their
//!   output with a time limit, `status` reports how they ended.
//! - `child`: a child's first and last steps.

mod answer;
mod child;
mod job;
mod parent;
mod status;

pub use answer::Answer;
pub use child::{begin, leave};
pub use job::tie;
pub use parent::{apart, end};
pub use status::how;

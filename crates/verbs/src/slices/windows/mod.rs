//! Processes that run one slice each.
//!
//! - `parent`: started apart from our console, and ended. `job` ends them with us, `answer` reads what they say with a
//!   limit, `status` tells how they ended.
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

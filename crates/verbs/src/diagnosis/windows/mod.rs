//! The diagnosis on Windows.
//!
//! - `reading`: facts about this system; `calls`: those that come from trying.
//! - `findings`: from facts to findings, pure.
//! - `refusal`: the line that a verb ends with.

mod calls;
mod findings;
mod reading;
mod refusal;

pub use findings::examine;
pub use reading::Reading;
pub use refusal::refusal;

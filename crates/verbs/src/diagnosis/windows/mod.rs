//! The diagnosis on Windows.
//!
//! - `reading`: facts about this system; `calls`: the facts found by trying.
//! - `findings`: from facts to findings, pure.
//! - `refusal`: the line with which a verb ends.

mod calls;
mod findings;
mod reading;
mod refusal;

pub use findings::examine;
pub use reading::Reading;
pub use refusal::refusal;

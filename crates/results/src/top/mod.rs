//! What `top` saw in an interval: the schema `locktoll.top/1`, a line of JSON for each.

mod document;
mod interval;
mod locks;

pub use document::Top;
pub use interval::{Cause, CauseKind, Chosen, Held, Interval, Machine, Program, SeenBy, Spun};
pub use locks::{Figures, LockRow, Place};

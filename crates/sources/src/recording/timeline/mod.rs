//! From the rings of a recording to the timeline of a profile.
//!
//! - `files`: reads the rings. `ticks`: converts the processor's counter to the clock.
//! - `decoded`: the events of one process image, by thread and lock; `holds`: those about holds. `threads`, `locks`, `places`: the tables that they refer to.
//! - `handed`: which release or signal ended which wait, and the order of holds.
//! - `chosen`: which events were asked for.
//! - `open`: waits and holds that had not ended. `units`: which units of semaphores are holds. `whole`: puts the columns together.

mod chosen;
mod decoded;
mod files;
mod handed;
mod holds;
mod locks;
mod open;
mod places;
mod threads;
mod ticks;
mod units;
mod whole;

pub use chosen::{Choice, When};
pub use files::EventFiles;
pub use whole::draft;

//! The contents of the screen, as data.
//!
//! - `reading`: one moment; its counts only ever grow. `difference`: two readings make an interval; `locks`: the locks of one
//!   program; `cause`: why threads switched.
//! - `spun`: busy waiting. `json`: an interval as a line; `history`: earlier intervals.
//! - `keys`: keys become [`Action`]s; `state`: actions decide what is shown ([`State`]); `rows`: the rows and their order.

mod cause;
mod difference;
mod history;
mod keys;
mod locks;
mod reading;
mod rows;
mod spun;
mod state;

#[cfg(test)]
pub mod made_up;

pub use difference::between;
pub use history::{History, REMEMBERED, Trend};
pub use keys::{Action, key_action};
pub use reading::{ChosenReading, Reading, SpunReading, Waits};
pub use rows::{LockSort, ProgramSort, locks, programs};
pub use state::{Order, Page, State};

//! The contents of the screen, as data.
//!
//! - `reading`: one moment; its counts only ever grow. `difference`: two readings make an [`Interval`]; `locks`: the locks of one
//!   program; `cause`: why threads switched.
//! - `held`: who holds the locks now. `spun`: busy waiting. `interval`: the data of one screen, and of one line of JSON (`json`); `history`: earlier intervals.
//! - `keys`: keys become [`Action`]s; `state`: actions decide what is shown ([`State`]); `rows`: the rows and their order.

mod cause;
mod difference;
mod held;
mod history;
mod interval;
mod json;
mod keys;
mod locks;
mod reading;
mod rows;
mod spun;
mod state;

#[cfg(test)]
pub mod made_up;

pub use cause::{Cause, CauseKind, SwitchCounts};
pub use difference::between;
pub use held::{Held, Stuck};
pub use history::{History, REMEMBERED, Trend};
pub use interval::{Chosen, Figures, Interval, LockRow, Machine, Place, Program};
pub use json::json_line;
pub use keys::{Action, key_action};
pub use reading::{ChosenReading, Reading, SeenBy, SpunReading, Waits};
pub use rows::{LockSort, ProgramSort, locks, programs};
pub use spun::Spun;
pub use state::{Order, Page, State};

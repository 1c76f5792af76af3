//! A profile as text for a terminal.
//!
//! The page opens with where the threads' time went (`glance`), then come the locks by cost (`locks`), whose doing the
//! waiting for the first three is (`blame`), waits for signals apart from contention (`signals`), threads that were still waiting when the recording ended (`unended`), and what the recorder
//! cost and missed (`recorder`). Asked for, one lock is shown in full (`opened`), the threads (`threads`), or
//! holders that lost their processor (`preempted`).

mod blame;
mod glance;
pub mod histogram;
mod locks;
mod opened;
mod page;
mod places;
mod preempted;
mod recorder;
mod signals;
mod stacks;
pub mod styles;
mod table;
mod threads;
mod unended;
mod woken;

#[cfg(test)]
mod snapshots;

pub use glance::bar;
pub use page::write;
pub use table::{Name, Table};

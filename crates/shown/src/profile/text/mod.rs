//! A profile as text for a terminal.
//!
//! The page begins with the answer and the threads' time by cause (`glance`). Then come the locks by cost (`locks`), the
//! holders that caused the waiting for the first three (`blame`), waits for events, which are not contention (`signals`),
//! what the timeline shows (`findings`), threads that were still waiting when the recording ended (`unended`), and the cost and losses of the recorder (`recorder`).
//! On request, the page shows one lock in full (`opened`), the threads (`threads`), preempted holders (`preempted`), or the order of
//! locks (`order`).

mod alerts;
mod blame;
mod findings;
mod glance;
pub mod histogram;
mod locks;
mod opened;
mod order;
mod page;
mod places;
mod preempted;
mod recorder;
mod signals;
mod spinning;
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

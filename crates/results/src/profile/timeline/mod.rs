//! The timeline: which thread held and awaited which lock, and when.
//!
//! Events are kept in columns, since there may be ten million of them: the fields with one index describe one event. Times are
//! nanoseconds after the first process began, as in the rest of the profile.
//!
//! - `whole`: the timeline itself, its threads and locks; `kept`: what was recorded of the events, and what was lost.
//! - `waits`, `holds`, `moments`: the columns of events. `columns`: how they are declared; `index`: a reference into a
//!   table.
//! - `finding`: sentences about intervals of the timeline.
//! - `bounded`: the part of a timeline that a document has.

mod bounded;
mod columns;
mod finding;
mod holds;
mod index;
mod kept;
mod moments;
mod waits;
mod whole;

pub use bounded::MOST_EVENTS;
pub(super) use bounded::serialize;
pub use finding::{Finding, FindingKind};
pub use holds::{Hold, HoldFlags, Holds};
pub use index::Index;
pub use kept::{EventLosses, Keeps, Kept};
pub use moments::{Block, Blocks, Signal, SignalKind, Signals, Switch, Switches};
pub use waits::{Wait, WaitEnd, Waits};
pub use whole::{Timeline, TimelineLock, TimelineThread};

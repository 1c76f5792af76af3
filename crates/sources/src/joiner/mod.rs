//! From facts to a profile: ids, names, order and sums are made in one way, whichever source saw the locks.
//!
//! A source adds up what it saw by row and fills [`Facts`] for each row and [`Program`] for the whole; facts that it
//! cannot know are left out. [`profile()`] makes the rest.
//!
//! - `facts`: a source's facts about a row; `waits`: its waits, added up; `members`: its most expensive locks.
//! - `origin`: where locks lie or come from, and the names and ids that follow from it; `ids`: keeps equal ids
//!   distinct.
//! - `lock`: from facts to a lock of the profile; `order`: the order of locks, places and stacks.
//! - `program`: the profile around the locks; `time`: where the time of threads went; `preemption`: preempted
//!   holders, all locks together; `modules`: the files of code.
//! - `quantile`: quantiles from histograms.

mod facts;
mod ids;
mod lock;
mod members;
mod modules;
mod order;
mod origin;
mod preemption;
mod program;
mod quantile;
mod time;
mod waits;

pub use facts::{Facts, Unended, Wakes};
pub use lock::locks;
pub use members::Members;
pub use modules::modules;
pub use origin::Origin;
pub use preemption::Watched;
pub use program::{Program, Usage, profile, profile_with_ids};
pub use quantile::quantile_ns;
pub use waits::{Waits, add_log2, plus, without_trailing_zeros};

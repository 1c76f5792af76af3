//! From facts to a profile: one way to ids, names, order and sums, whichever source saw the locks.
//!
//! A source adds up what it saw by row and fills [`Facts`] for each row and [`Program`] for the whole; what it cannot
//! know, it leaves out. [`profile()`] makes the rest.
//!
//! - `facts`: what a source says of a row; `waits`: its waits, added up; `members`: its dearest locks.
//! - `origin`: where locks lie or come from, and the names and ids that follow from it; `ids`: which are kept apart.
//! - `lock`: from facts to a lock of the profile; `order`: which lock, place and stack comes first.
//! - `program`: the profile around the locks; `time`: where the time of threads went; `preemption`: holders that lost
//!   their processor, all locks together; `modules`: the files of code.
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
pub use program::{Program, Usage, profile};
pub use quantile::quantile_ns;
pub use waits::{Waits, add_log2, plus, without_trailing_zeros};

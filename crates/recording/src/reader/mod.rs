//! Reads recordings, and trusts no byte of them.
//!
//! [`Recording::open`] reads a file, [`Recording::from_bytes`] a slice; both accept a part that is still being
//! written. Times are in nanoseconds; addresses are those of the recorded process.
//!
//! Guarantees for any input:
//! - no panic, and memory in proportion to the bytes of the input that hold records;
//! - an input without a whole first header is a [`ReadError`]; damage after it is a [`Warning`], and the sound
//!   parts are returned;
//! - records that refer to an impossible lock, site or module are left out and counted in a warning.
//!
//! - `source`: where bytes come from.
//! - `bytes`: little-endian fields out of a slice.
//! - `header`, `segments`, `records`: the three layers of a part.
//! - `part`: the segments of one part, one after the other; `gathered`: their records, put together by `index` and
//!   `ids`; `plausible`: contradictions between them.
//! - `events`: the rings of events, read only if they are asked for.
//! - `model`: the values that are returned.
//! - `system`: the calls of the operating system.
//! - `live`: the threads of a part that is still being written.
//! - `since`: what happened in a part between two looks at it.
//! - `ended`: the parts of processes that have ended, added up.
//! - `append`: lays a part at the end of a recording; `compact`: removes the unused room in it.

mod append;
mod bytes;
mod compact;
mod ended;
mod error;
mod events;
mod gathered;
mod header;
mod ids;
mod index;
mod live;
mod model;
mod part;
mod plausible;
mod recording;
mod records;
mod segments;
mod since;
mod source;
mod system;

pub use append::{append_compacted, append_part, append_part_with};
pub use compact::Modules;
pub use ended::{Image, Sums, ancestors, program};
pub use error::{Problem, ReadError, Warning};
pub use events::{EventRun, EventSegment, EventSpan};
pub use live::{Live, LiveThread, LiveWait};
use model::AddressIndex;
pub use model::{
    Birth, Blame, CallsInHolds, CommandLine, Contention, Count, Dropped, HeldLock, Hold, Inherited,
    KernelFigures, Key, Module, Order, Part, PreemptedWait, Preemption, Process, Range, Recording,
    Site, Stack, StackWait, Stopped, Symbol, Thread, Usage, Variable, Waiting, Watch,
};
pub use since::{Interval, RawPart, Since, since};
pub use source::Source;

//! Reads recordings. Every byte is taken as hostile.
//!
//! [`Recording::open`] reads a file, [`Recording::from_bytes`] a slice; both accept a part that is still being
//! written. Times come out in nanoseconds, addresses as the recorded process saw them.
//!
//! What can be promised about any input whatever:
//! - no panic, and memory in proportion to the bytes of the input that hold records;
//! - an input whose first header is not whole is a [`ReadError`]; damage after it is a [`Warning`], and what is
//!   sound is returned;
//! - records that name a lock, site or module that cannot be are left out and counted in a warning.
//!
//! - `source`: where bytes come from.
//! - `bytes`: little-endian fields out of a slice.
//! - `header`, `segments`, `records`: the three layers of a part.
//! - `part`: the segments of one part in their turns; `gathered`: their records, put together by `index` and `ids`;
//!   `plausible`: what they contradict.
//! - `model`: the values handed out.
//! - `system`: what is asked of the operating system.
//! - `append`: lays a part at the end of a recording; `compact`: without the room in it that nothing used.

mod append;
mod bytes;
mod compact;
mod error;
mod gathered;
mod header;
mod ids;
mod index;
mod model;
mod part;
mod plausible;
mod recording;
mod records;
mod segments;
mod source;
mod system;

pub use append::{append_compacted, append_part, append_part_with};
pub use compact::Modules;
pub use error::{Problem, ReadError, Warning};
use model::AddressIndex;
pub use model::{
    Birth, Blame, CommandLine, Contention, Count, Dropped, Hold, Inherited, KernelFigures, Key,
    Module, Part, PreemptedWait, Preemption, Process, Range, Recording, Site, Stack, StackWait,
    Stopped, Symbol, Thread, Usage, Variable, Waiting, Watch,
};
pub use source::Source;

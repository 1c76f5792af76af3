//! From a recording to a profile: what each lock cost, by name and call site.
//!
//! One direction: the reader's parts are joined by lock and call site ([`load()`]), addresses become
//! functions and lines, locks get names that survive a run, and the result is a plain value
//! ([`Profile`]) that any number of reports are made from.
//!
//! - `load`: from a file, or a folder of `part_files`, to a profile; `join`: the order of the work.
//! - `symbols`, `names`: functions and variables from the program's files; `embed`: written into a recording; `part_names`,
//!   `statics`: of one part, from wherever they are known.
//! - `sites`, `stacks`, `births`: call sites, stacks and origins of locks, each once over all processes; `caller`: which
//!   frame of them is the program's.
//! - `instances`: the single locks of a part; `identity`: which share a row, and its name.
//! - `rows`: sums by row and call site: `sums` (acquisitions and waits), `holds`, `blame`, `members`; `uses`: lock or
//!   signal; `asked`: who asked behind a library; `finish`: rows as they are shown.
//! - `anchors`: where a row's locks are found again in another run.
//! - `preempted`: holders that lost their processor, as the kernel saw them or as an estimate.
//! - `life`, `times`: threads and processes; `unended`: waits that the recording ended before; `modules`, `remarks`: what else there is to say.
//! - `model`: the schema; `quantile`, `shown`: figures and texts on their way out.

#[cfg(test)]
mod adds_up;
mod anchors;
mod asked;
mod births;
mod blame;
mod caller;
mod embed;
mod finish;
mod holds;
mod identity;
mod instances;
mod join;
#[cfg(test)]
mod join_tests;
mod life;
mod load;
mod members;
mod model;
mod modules;
mod named;
mod names;
mod part_files;
mod part_names;
mod preempted;
mod quantile;
mod remarks;
mod rows;
#[cfg(test)]
pub mod sample;
mod shown;
mod sites;
mod stacks;
mod statics;
mod sums;
mod symbols;
mod times;
mod unended;
mod uses;

pub use anchors::{Anchor, Anchored, MOST_ANCHORS};
pub use caller::{caller, is_c_library, is_wrapper};
pub use embed::Embedder;
pub use identity::Identities;
pub use join::profile_with;
pub use load::load;
pub use model::{
    Blame, Dropped, Frame, FutexCalls, HoldTimes, HolderThread, Lock, LockKind, MEMBERS, Member,
    Module, Process, Profile, Recorder, RecorderMode, SCHEMA, SignalWaits, Site, Source,
    StackWaits, StillWaiting, Thread, ThreadTime, Use, WaitSplit, WaitTimes, WhileHeld, WokenBy,
};
pub use named::{base, described, kind_word, place_in_id};
pub use names::{Variables, demangled};
pub use part_files::{PartFile, part_files};
pub use preempted::{
    HolderPreemption, OffCpuTimes, PreemptionDropped, PreemptionSource, PreemptionTotal,
};
pub use quantile::quantile_ns;
pub use remarks::why_it_stopped;
pub use shown::{shown, shown_text};
pub use sums::without_trailing_zeros;
pub use symbols::Symbols;
pub use uses::named_use;

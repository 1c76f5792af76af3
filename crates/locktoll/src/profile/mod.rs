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
//!   signal (`named_use`: by names alone); `asked`: who asked behind a library; `finish`: rows as they are shown.
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
#[cfg(target_os = "linux")]
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
#[cfg(target_os = "linux")]
mod named_use;
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

pub use anchors::Anchor;
#[cfg(target_os = "linux")]
pub use anchors::{Anchored, MOST_ANCHORS};
#[cfg(target_os = "linux")]
pub use caller::is_c_library;
pub use caller::{caller, is_wrapper};
#[cfg(target_os = "linux")]
pub use embed::Embedder;
#[cfg(target_os = "linux")]
pub use identity::Identities;
#[cfg(target_os = "linux")]
pub use join::profile_with;
pub use load::load;
pub use model::{
    Blame, Dropped, Frame, FutexCalls, HoldTimes, HolderThread, Lock, LockKind, MEMBERS, Member,
    Module, Process, Profile, Recorder, RecorderMode, SCHEMA, SignalWaits, Site, Source,
    StackWaits, StillWaiting, Thread, ThreadTime, Use, WaitSplit, WaitTimes, WhileHeld, WokenBy,
};
pub use named::kind_word;
#[cfg(target_os = "linux")]
pub use named::{base, described, place_in_id};
#[cfg(target_os = "linux")]
pub use named_use::named_use;
#[cfg(target_os = "linux")]
pub use names::{Variables, demangled};
#[cfg(target_os = "linux")]
pub use part_files::PartFile;
pub use part_files::part_files;
pub use preempted::{
    HolderPreemption, OffCpuTimes, PreemptionDropped, PreemptionSource, PreemptionTotal,
};
#[cfg(target_os = "linux")]
pub use quantile::quantile_ns;
#[cfg(target_os = "linux")]
pub use remarks::why_it_stopped;
pub use shown::{shown, shown_text};
#[cfg(target_os = "linux")]
pub use sums::without_trailing_zeros;
#[cfg(target_os = "linux")]
pub use symbols::Symbols;

//! From a recording to the facts of a profile, by lock and call site.
//!
//! One direction: the reader's parts are taken together by lock and call site ([`load()`]), addresses become functions
//! and lines, each lock finds its row, and the joiner makes the profile of the rows ([`Profile`](locktoll_results::profile::Profile)).
//!
//! - `load`: from a file, or a folder of `part_files`, to a profile; `join`: the order of the work.
//! - `symbols`: functions and variables from the program's files; `embed`: written into a recording; `part_names`, `statics`:
//!   the names of one part, from any source that has them.
//! - `sites`, `stacks`, `births`: call sites, stacks and origins of locks, each once over all processes.
//! - `instances`: the single locks of a part; `parked`: words that belong to a thread and not to a lock; `identity`: which
//!   locks share a row; `part_view`: a part in terms of all of them.
//! - `rows`: sums by row and call site: `sums` (acquisitions and waits), `holds` (`pools`: of several locks together), `blame`,
//!   `takers` (acquisitions by thread); `uses`: lock or signal (`named_use`, `postgres`: by names alone); `callers`, `holders`:
//!   the places that asked and that held, behind a library; `finish`: rows as the joiner takes them.
//! - `order`: the order in which threads acquire locks while they hold others.
//! - `timeline`: events by time.
//! - `spinning`: busy waiting, and the locks in which it was.
//! - `places`: names of a recording in progress; `writers`: the processes that write to it; `ended_parts`: those that have ended,
//!   added up (`images`: of a process that became another program); `steady`: no part is added up while they are read.
//! - `anchors`: where a row's locks are found again in another run.
//! - `preempted`: preempted holders, as the kernel saw them or as an estimate.
//! - `life`, `times`: threads and processes; `unlisted`: threads of which only the number and the time is known;
//!   `unended`: waits that had not ended when the recording did; `remarks`: notes for
//!   the reader.

#[cfg(test)]
mod adds_up;
mod anchors;
mod births;
mod blame;
mod callers;
#[cfg(target_os = "linux")]
mod embed;
#[cfg(target_os = "linux")]
mod ended_parts;
mod finish;
mod holders;
mod holds;
mod identity;
#[cfg(target_os = "linux")]
mod images;
mod instances;
mod join;
#[cfg(test)]
pub(crate) mod join_tests;
mod life;
mod load;
#[cfg(target_os = "linux")]
mod named_use;
mod order;
mod parked;
mod part_files;
mod part_names;
mod part_view;
mod places;
mod pools;
mod postgres;
mod preempted;
mod remarks;
mod rows;
mod sites;
mod spinning;
mod stacks;
mod statics;
#[cfg(target_os = "linux")]
mod steady;
mod sums;
mod symbols;
mod takers;
mod timeline;
mod times;
mod unended;
mod unfinished;
mod unlisted;
mod uses;
#[cfg(target_os = "linux")]
mod writers;

pub use anchors::MOST_ANCHORS;
#[cfg(target_os = "linux")]
pub use embed::Embedder;
#[cfg(target_os = "linux")]
pub use ended_parts::EndedParts;
#[cfg(target_os = "linux")]
pub use join::profile_with;
pub use load::load;
#[cfg(target_os = "linux")]
pub use named_use::named_use;
#[cfg(target_os = "linux")]
pub use part_files::PartFile;
pub use part_files::part_files;
pub use places::{Places, places};
#[cfg(target_os = "linux")]
pub use postgres::named_use_of_postgres;
#[cfg(target_os = "linux")]
pub use remarks::why_it_stopped;
#[cfg(target_os = "linux")]
pub use steady::Steady;
pub use symbols::Symbols;
pub use timeline::{Choice, When};
#[cfg(target_os = "linux")]
pub use unfinished::{PARTS, linux::runs};
#[cfg(target_os = "linux")]
pub use writers::{Writers, is_running};

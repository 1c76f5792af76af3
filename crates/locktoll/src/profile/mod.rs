//! From a recording to a profile: what each lock cost, by name and call site.
//!
//! One direction: the reader's parts are joined by lock and call site ([`load()`]), addresses become
//! functions and lines, locks get names that survive a run, and the result is a plain value
//! ([`Profile`]) that any number of reports are made from.

#[cfg(test)]
mod adds_up;
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
mod names;
mod part_names;
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
mod uses;

pub use caller::caller;
pub use embed::Embedder;
pub use load::load;
pub use model::{
    Blame, Dropped, Frame, HoldTimes, Lock, LockKind, MEMBERS, Member, Module, Process, Profile,
    Recorder, RecorderMode, SCHEMA, SignalWaits, Site, StackWaits, Thread, ThreadTime, Use,
    WaitSplit, WaitTimes, WhileHeld,
};
pub use remarks::why_it_stopped;
pub use shown::{shown, shown_text};

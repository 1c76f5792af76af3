//! `attach`: the futex waits of a running program, in any language, by lock and call site.
//!
//! [`Watch`] owns the kernel's programs and reads their maps into [`Gathered`]; `profile` turns that into locks and sites.

mod asleep;
#[cfg(test)]
mod at_work;
mod before_watching;
mod call;
#[doc(hidden)]
pub mod fuzzed;
pub mod gathered;
mod limits;
mod memory_map;
mod own_stacks;
mod owner_field;
mod part;
mod process;
mod profile;
mod raw;
mod returns;
mod tables;
mod unwind;
mod watch;

pub(crate) use before_watching::threads_of;
pub use call::Call;
pub use gathered::Gathered;
pub(crate) use owner_field::OWNER;
pub use process::{Observed, Processes, Subject};
pub(crate) use process::{Spot, has_ended};
pub(crate) use profile::{By, Identity, Purpose, Statics, object_base};
pub use profile::{Names, Seen, generated_names, profile, profile_with};
pub(crate) use unwind::{Cut, Processor, Rule, Table, Unwindable, walk_by};
pub use unwind::{Registers, Walker};
pub use watch::{Capacity, Watch, Whom};

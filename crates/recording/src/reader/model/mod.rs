//! The values a recording is handed out as.
//!
//! - `part`: a recording, and what one process image did.
//! - `process`: who, when and how it ended, what was not recorded.
//! - `threads`: lives of threads.
//! - `figures`: acquisitions, waits, holds and blame, by lock and call site.
//! - `preemptions`: what the kernel saw of holders that did not run.
//! - `places`: modules, call sites, stacks, births, and names added after the run.
//! - `address`: which module an address lies in.

mod address;
mod figures;
mod part;
mod places;
mod preemptions;
mod process;
mod threads;

pub(super) use address::AddressIndex;
pub use figures::{Blame, Contention, Count, Hold, Key, StackWait};
pub use part::{Part, Recording};
pub use places::{Birth, Inherited, Module, Range, Site, Stack, Symbol, Variable};
pub use preemptions::{PreemptedWait, Preemption, Watch};
pub use process::{CommandLine, Dropped, Process, Stopped, Usage};
pub use threads::{KernelFigures, Thread, Waiting};

//! The values of a recording.
//!
//! - `part`: a recording, and the data of one process image.
//! - `process`: the process, its time and its end, and the data that was not recorded.
//! - `threads`: lives of threads.
//! - `figures`: acquisitions, waits, holds and blame, by lock and call site.
//! - `orders`: locks that were acquired while others were held.
//! - `preemptions`: the kernel's data about holders that did not run.
//! - `places`: modules, call sites, stacks, births, and names added after the run.
//! - `address`: the module that contains an address.

mod address;
mod figures;
mod orders;
mod part;
mod places;
mod preemptions;
mod process;
mod threads;

pub(super) use address::AddressIndex;
pub use figures::{Blame, CallsInHolds, Contention, Count, Hold, Key, StackWait};
pub use orders::{HeldLock, Order};
pub use part::{Part, Recording};
pub use places::{Birth, Inherited, Module, Range, Site, Stack, Symbol, Variable};
pub use preemptions::{PreemptedWait, Preemption, Watch};
pub use process::{CommandLine, Dropped, Process, Stopped, Usage};
pub use threads::{KernelFigures, Thread, Waiting};

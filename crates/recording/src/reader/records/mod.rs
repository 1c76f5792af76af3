//! Decodes the records of a segment.
//!
//! - `each`: walks the records of a segment, one buffer at a time.
//! - `figures`: counts, contentions, holds, blame and waits by stack.
//! - `places`: modules, ranges, sites, stacks and births.
//! - `orders`: locks that were acquired while others were held.
//! - `preemptions`: holders that did not run, added after the run.
//! - `names`: symbols, variables and the machine of the recording, added after the run.
//! - `threads`: lives of threads.

mod each;
mod figures;
mod names;
mod orders;
mod places;
mod preemptions;
mod threads;

pub(super) use each::{BUFFER_BYTES as MOST_BYTES, for_each};
pub(super) use figures::{CountId, blame, contention, count, hold, stack_wait};
pub(super) use names::{about, alert, spinning, symbol, variable};
pub(super) use orders::order;
pub(super) use places::{birth, module, range, site, stack};
pub(super) use preemptions::{preempted_wait, preemption, watch};
pub(super) use threads::thread;

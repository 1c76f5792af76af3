//! Hold times: which holds are timed, and how many holds each of them represents.
//!
//! Reading the clock twice costs more than an uncontended lock, so not every hold is timed. Each timed hold represents as many
//! holds as its *period* says. The period of a record follows from its earlier holds: it is chosen so that timing costs about
//! a fiftieth of the time held, or a nanosecond. All long holds are therefore timed. The gaps between timed holds are
//! geometric, as if a coin were tossed at each hold, so the estimate is unbiased whatever the program's rhythm (Horvitz and
//! Thompson, 1952).
//!
//! Once a thread has a certain number of such records, it times further locks in records that all locks of one birth share.

mod begin;
mod end;
mod kept;
mod period;
mod record;

pub use begin::{begin, note_call_end, note_system_call};
pub use end::Ended;

//! How long locks are held: which holds are timed, and what they count for.
//!
//! Reading the clock twice costs more than an uncontended lock, so not every hold is timed. Each timed one stands for as
//! many as its *period* says. The period of a record follows from its earlier holds: it is such that timing costs about a
//! fiftieth of the time held, or a nanosecond, so that long holds are all timed. The gaps between timed holds are geometric, as if a coin
//! were thrown at each: whatever rhythm the program has, the estimate follows it (Horvitz and Thompson, 1952).
//!
//! After so many records of holds, a thread times further locks in records that all locks of one birth share.

mod begin;
mod end;
mod period;
mod record;

pub use begin::{begin, note_system_call};
pub use end::Ended;

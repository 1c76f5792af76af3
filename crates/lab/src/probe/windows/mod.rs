//! The probes that involve Windows' kernel: entering it, yielding, sleeping and waking; the parts of a hand-over; the
//! clocks.

mod address;
mod alert;
mod condition;
mod decomposition;
mod entry;
mod lines;
mod list;
mod ntdll;
mod object;
mod probes;
mod section;
mod timers;
mod yields;

#[cfg(test)]
mod tests;

pub(super) use section::measure;
pub(super) use timers::measure as measure_timers;

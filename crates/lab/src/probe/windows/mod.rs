//! What involves Windows' kernel: entering it, giving way, sleeping and waking; what a hand-over is made of; the clocks.

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

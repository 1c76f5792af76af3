//! The probes that involve the kernel: entering it, yielding, sleeping and waking; and the parts of a hand-over.

mod arms;
mod board;
mod decomposition;
mod entry;
mod futex;
mod lines;
mod probes;
mod section;
mod yields;

#[cfg(test)]
mod split_tests;
#[cfg(test)]
mod tests;

pub(super) use section::measure;

//! What involves the kernel: entering it, giving way, sleeping and waking; and what a hand-over is made of.

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

//! What involves the kernel: entering it, giving way, sleeping and waking; and what a hand-over is made of.

mod entry;
mod futex;
mod section;

pub(super) use section::measure;

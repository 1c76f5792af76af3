//! Tests on real programs, by the kernel's own counts and theirs. Skipped if the kernel does not run locktoll's
//! programs.

mod agreement;
mod earlier_waits;
mod operations;
mod preempted;
mod stacks;
mod subject;
mod unseen_waits;

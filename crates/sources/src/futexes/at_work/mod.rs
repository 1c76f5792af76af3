//! Tests on real programs, by the kernel's own counts and theirs. Skipped where the kernel does not run our programs.

mod agreement;
mod earlier_waits;
mod operations;
mod preempted;
mod stacks;
mod subject;
mod unseen_waits;

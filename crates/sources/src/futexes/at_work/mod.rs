//! Tests on real programs, compared with the kernel's counts and the programs' own. They are skipped if the kernel does not run
//! locktoll's programs.

mod agreement;
mod earlier_waits;
mod operations;
mod preempted;
mod stacks;
mod subject;
mod unseen_waits;

//! The unwinder on the stacks of this test program.

mod figures;
mod fixture;
mod garbage;
mod meanwhile;
mod numbers;
mod oracle;
mod small_stacks;
mod walks;

//! The unwinder on the stacks of this test program.

mod figures;
mod fixture;
mod small_stacks;
mod walks;

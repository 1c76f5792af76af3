//! The unwinder on the stacks of this test program.

mod fixture;
mod walks;

//! Tests of the unwinder and its numbers on the stacks of this test program.

mod figures;
mod fixture;
mod meanwhile;
mod numbers;
mod small_stacks;
mod walks;

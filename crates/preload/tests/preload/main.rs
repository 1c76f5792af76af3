//! The built library under small programs with known answers: each runs bare and recorded, must behave the same, and
//! the recording must hold the answer.

mod allocators;
mod counts;
mod endings;
mod failures;
mod families;
mod manners;
mod processes;
mod return_codes;
mod support;
mod unwinding;

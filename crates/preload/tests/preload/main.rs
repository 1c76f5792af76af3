//! The built library under small programs with known answers. Each runs bare and recorded, must behave the same, and
//! the recording must contain the answer.

mod allocators;
#[path = "../../../../tests/programs/answers.rs"]
mod answers;
mod blame;
mod conditions;
mod counts;
mod endings;
mod failures;
mod families;
mod generations;
mod holds;
mod loading;
mod manners;
mod mixture;
mod names;
mod oddities;
mod other_locks;
mod processes;
mod return_codes;
mod stacks;
mod sums;
mod support;
mod threads;
mod unwinding;

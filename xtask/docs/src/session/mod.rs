//! The sessions of the documentation, fenced as `console`, run again: `cargo xtask console`.
//!
//! - `parse`: the sessions of a page, with the command that retakes each (`<!-- retake: ... -->` before it).
//! - `choice`: which of them can be run here, and the reason why the others cannot.
//! - `shape`: a line without its figures; `changes`: what changed between what is printed and what was printed now.
//! - `task`: runs them. Figures differ from run to run, so no test does.

mod changes;
mod choice;
mod parse;
mod shape;
mod task;

pub use changes::{Change, changes};
pub use choice::{Choice, choice};
pub use parse::{Session, sessions};
pub use shape::shape;
pub use task::run;

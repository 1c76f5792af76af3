//! The tournament: the order of the contestants' runs, and the conclusions. Does not use processes.
//!
//! - `play`: from the beginning to the result; `stages`: its stages; `latecomers`: candidates that run if time remains; `round`:
//!   one round; `dropping`: the candidates that are dropped, with `clearly_worse` among the reasons; `candidate_state`: the state
//!   of each.
//! - `umpire`: one run, its limit and whether it counts.
//! - `plan`: how many rounds fit into the time; `costs`: their durations; `announcement`: the message about the plan; `draw`: the
//!   order of the runs.
//! - `rounds`: the measurements; `standings`: the conclusions.

mod announcement;
mod candidate_state;
mod clearly_worse;
mod costs;
pub mod draw;
mod dropping;
mod latecomers;
pub mod plan;
mod play;
mod round;
mod rounds;
mod stages;
mod standings;
mod umpire;

pub use play::play;

#[cfg(test)]
mod left_tests;
#[cfg(test)]
mod power_tests;
#[cfg(test)]
mod tests;

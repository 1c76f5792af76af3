//! The tournament: which contestant runs when, and what follows from it. It knows no process.
//!
//! - `play`: from the beginning to the result; `stages`: what is played, `latecomers`: by whom if time remains; `round`: one round; `dropping`: which candidates play no
//!   longer, `clearly_worse` among the reasons; `candidate_state`: what is known of each meanwhile.
//! - `umpire`: one run, its limit and whether it counts.
//! - `plan`: how many rounds fit into the time; `costs`: what they take; `announcement`: what is said of that; `draw`: their order.
//! - `rounds`: what was measured; `standings`: what it proves.

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
mod power_tests;
#[cfg(test)]
mod tests;

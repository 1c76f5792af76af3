//! `try`: a program on other locks.
//!
//! - `runner`: what one run of the program is, whoever runs it. The tournament knows no process, so that it is tested with
//!   made-up figures.

mod runner;

pub use runner::{Contestant, Figures, Outcome, Runner};

//! A wait that is over and counted, and of which the rest is to be entered: whose doing it was, its stack, and what it consisted of.

mod kept_back;
mod over;

pub use kept_back::KeptBack;
pub use over::{End, Holders, Waited};

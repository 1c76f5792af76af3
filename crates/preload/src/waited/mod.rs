//! A wait that is over and counted, and whose other figures are still to be entered: which holders caused it, its stack, and
//! how its time was spent.

mod kept_back;
mod over;

pub use kept_back::KeptBack;
pub use over::{End, Holders, Waited};

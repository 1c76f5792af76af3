//! Runs one slice of a cell: threads, start and stop, and the measured loop.
//!
//! [`run`] is compiled once for each lock and, inside, once for each workload: nothing between acquiring and releasing a lock
//! goes through a pointer. The loop publishes its count on its own cache line, and reads one shared word to know when to stop.
//! The same loop without a lock measures the cost of that, and the runner subtracts it.

mod active;
mod arena;
mod bare;
mod contender;
mod control;
mod hog;
mod owner;
mod pace;
mod paced;
mod pairs;
mod placement;
mod places;
mod resources;
mod run;
mod start;
mod team;
mod worker;

#[cfg(test)]
mod tests;

pub use contender::{Contender, CreateError, LockOptions};
pub use pairs::pairs;
pub use run::run;

//! `locktoll top`: the live screen.
//!
//! - `run`: what is refused, and which of the two ways it goes.
//! - `lines`: a line of JSON an interval. `live`: the screen; `gathering`: the thread that reads for it.

mod gathering;
mod lines;
mod live;
mod run;

pub use run::run;

//! `try`: a program on other locks.
//!
//! - `runner`: what one run of the program is, whoever runs it. The tournament knows no process, so that it is tested with
//!   made-up figures.
//! - `process`: the runner that starts processes.
//! - `tournament`: who runs when, and who is dropped; `umpire` lets one contestant run and bounds its time, `plan` makes the
//!   rounds fit into the time, `draw` draws their order.
//! - `standings`: what the rounds prove; `conclusion` says it in a sentence.

mod announcement;
mod clearly_worse;
mod conclusion;
mod draw;
mod finding;
mod plan;
mod played;
mod process;
mod progress;
mod rounds;
mod runner;
mod settings;
mod standings;
mod tournament;
mod umpire;
mod unplayable;
mod watcher;
mod words;

pub use conclusion::conclusion;
pub use played::{EndedEarly, Played};
pub use process::{
    Blocked, Input, Load, Pattern, Processes, Ready, Recorded, Subject, adopt_strays, is_open,
};
pub use progress::Progress;
pub use runner::{Contestant, Figures, Outcome, Runner};
pub use settings::{DEFAULT_TIME_LIMIT, Entrant, PASS_THROUGH, Settings};
pub use tournament::play;
pub use unplayable::Unplayable;
pub use watcher::{Stage, Step, Watcher};

#[cfg(test)]
mod made_up;
#[cfg(test)]
mod power_tests;
#[cfg(test)]
mod tournament_tests;

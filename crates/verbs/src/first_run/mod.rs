//! `locktoll` without arguments: the five most useful commands for this machine and this user.
//!
//! - `suggestion`: the commands, the most useful first, and the choice among them by doctor's findings; pure.
//! - `page`: the text; `run`: reads the system as doctor does, and prints it.

mod page;
mod run;
mod suggestion;

pub use run::run;
#[cfg(all(test, target_os = "linux"))]
pub use suggestion::commands;

//! `try`: runs a program on other locks.
//!
//! A **candidate** is a lock that `try` may put under the program; the pass-through, which replaces nothing, is one of them. A
//! **contestant** takes part in a run: bare, which is the unmodified program, or a candidate.
//!
//! - `flags`, `request`, `run`: the verb; `list` is what `--list` prints, `beforehand` the recorded run that comes first.
//! - `runner`: the interface of one run of the program. The tournament does not use processes, so it can be tested with made-up
//!   figures.
//! - `process`: the runner that starts processes.
//! - `tournament`: the order of the runs, and the conclusions from the rounds; `settings` is its input, `played` its result.
//! - `conclusion` states the result in a sentence, `reasons` why a candidate was dropped.
//! - `progress`: the output during the tournament, as a `tournament_watcher`.

mod beforehand;
mod conclusion;
mod finding;
pub mod flags;
mod list;
mod played;
mod process;
mod progress;
mod reasons;
mod request;
mod run;
mod runner;
mod settings;
mod span;
mod tournament;
mod tournament_watcher;
mod unplayable;

pub use beforehand::{lines, single_out};
pub use conclusion::conclusion;
pub use played::{EndedEarly, Played};
pub use process::{Blocked, Input, Load, Pattern, Processes, Ready, Recorded, Subject, is_open};
pub use progress::Progress;
pub use reasons::why_and_last_words;
pub use request::{Wanted, subject};
pub use run::{run, without_strays};
pub use runner::{Contestant, Figures, Outcome, Runner};
pub use settings::{Candidate, PASS_THROUGH, Settings};
pub use tournament::draw::Draw;
pub use tournament::play;
pub use tournament_watcher::{Stage, Step, TournamentWatcher};
pub use unplayable::Unplayable;

#[cfg(test)]
mod made_up;

//! The observer of a tournament.

use std::time::Duration;

use super::Contestant;

/// Observes a tournament: shows its progress, keeps the time, and reports whether the user wants to stop.
pub trait TournamentWatcher {
    /// Returns the time since the tournament began. Never goes back.
    fn elapsed(&mut self) -> Duration;

    /// Whether the user has asked to stop.
    fn interrupted(&mut self) -> bool;

    /// Announces, in one line, what is going to happen and how long it takes, once that is known.
    fn announce(&mut self, line: &str);

    /// A run begins.
    fn next(&mut self, step: &Step<'_>);

    /// Reports an event that deserves a line: a candidate was dropped, for example.
    fn tell(&mut self, line: &str);
}

/// A run that begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step<'a> {
    /// The part of the tournament.
    pub stage: Stage,
    /// The round of that part, from 1.
    pub round: usize,
    /// The number of rounds of that part.
    pub rounds: usize,
    /// The contestant that runs.
    pub contestant: &'a Contestant,
    /// About how much time the rest of the tournament takes.
    pub left: Duration,
}

/// A part of the tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Every contestant once; does not count.
    WarmUp,
    /// Rounds of all contestants.
    Qualifying,
    /// Rounds of bare and the most promising candidate.
    Final,
}

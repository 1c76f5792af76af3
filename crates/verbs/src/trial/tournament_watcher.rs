//! The observer of a tournament.

use std::time::Duration;

use super::Contestant;

/// Looks on: shows how far it has come, keeps the time, and says whether the user wants to stop.
pub trait TournamentWatcher {
    /// Time since the tournament began. Never goes back.
    fn elapsed(&mut self) -> Duration;

    /// Whether the user has asked to stop.
    fn interrupted(&mut self) -> bool;

    /// What is going to happen and how long it takes, once that is known; one line.
    fn announce(&mut self, line: &str);

    /// A run begins.
    fn next(&mut self, step: &Step<'_>);

    /// Something worth a line has happened: a candidate was dropped.
    fn tell(&mut self, line: &str);
}

/// A run that begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step<'a> {
    /// Which part of the tournament.
    pub stage: Stage,
    /// Which round of it, from 1.
    pub round: usize,
    /// How many rounds it has.
    pub rounds: usize,
    /// Who runs.
    pub contestant: &'a Contestant,
    /// What is left of the whole tournament, about.
    pub left: Duration,
}

/// A part of the tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Everyone once; does not count.
    WarmUp,
    /// Rounds of everyone.
    Qualifying,
    /// Rounds of bare and the most promising.
    Final,
}

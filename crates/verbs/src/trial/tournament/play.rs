//! A tournament from its beginning to its result.

use super::announcement;
use super::candidate_state::CandidateState;
use super::costs::Price;
use super::draw::Draw;
use super::plan::Plan;
use super::rounds::Round;
use super::standings::Standings;
use super::umpire::Umpire;
use crate::trial::{EndedEarly, Played, Runner, Settings, TournamentWatcher, Unplayable};

/// Plays a tournament: a warm-up, rounds of all candidates, and a final between bare and the most promising one.
///
/// # Errors
/// [`Unplayable`], if there can be no result at all. A candidate's failure is part of the result, not an error.
pub fn play(
    runner: &mut dyn Runner,
    settings: &Settings,
    watcher: &mut dyn TournamentWatcher,
) -> Result<Played, Unplayable> {
    let mut tournament = Tournament {
        umpire: Umpire::new(runner, watcher, settings.time_limit),
        settings,
        draw: Draw::new(settings.seed),
        bare_price: Price::default(),
        states: vec![CandidateState::default(); settings.candidates.len()],
        rounds: Vec::new(),
        plan: None,
        entered: 0,
        in_final: None,
        remarks: Vec::new(),
    };
    let ended_early = match tournament.stages() {
        Ok(()) => None,
        Err(Stop::Early(why)) => Some(why),
        Err(Stop::Unplayable(error)) => return Err(error),
    };
    Ok(tournament.result(ended_early))
}

/// Why a stage ended early.
pub(super) enum Stop {
    Early(EndedEarly),
    Unplayable(Unplayable),
}

/// A tournament that is being played.
pub(super) struct Tournament<'a> {
    pub(super) umpire: Umpire<'a>,
    pub(super) settings: &'a Settings,
    pub(super) draw: Draw,
    pub(super) bare_price: Price,
    pub(super) states: Vec<CandidateState>,
    pub(super) rounds: Vec<Round>,
    /// `None` until bare has run.
    pub(super) plan: Option<Plan>,
    /// How many of the candidates, in their order, have played or are playing.
    pub(super) entered: usize,
    pub(super) in_final: Option<usize>,
    pub(super) remarks: Vec<String>,
}

impl Tournament<'_> {
    fn result(mut self, ended_early: Option<EndedEarly>) -> Played {
        let codes = self.umpire.bare_codes();
        self.remarks.extend(announcement::exit_codes(codes));
        if self.plan.is_some() {
            let left_out = announcement::left_out(self.entered, self.settings);
            self.remarks.extend(left_out);
        }
        let taken = self.umpire.watcher.elapsed();
        let standings = Standings {
            settings: self.settings,
            rounds: &self.rounds,
            states: &self.states,
            in_final: self.in_final,
            plan: self.plan,
        };
        standings.result(ended_early, taken, self.remarks)
    }
}

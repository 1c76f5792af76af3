//! One round: bare twice and every candidate once, in a new random order.

use std::time::Duration;

use super::play::{Stop, Tournament};
use super::rounds::Round;
use super::umpire::Ended;
use crate::trial::{Contestant, EndedEarly, Figures, Stage, Unplayable};
use locktoll_results::trial::WhyDropped;

/// A [`Contestant`], by its index in the settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContestantIndex {
    Bare,
    Candidate(usize),
}

impl Tournament<'_> {
    /// Plays a round: bare twice and each playing candidate once, in a newly drawn order. The measurements of a round that is cut
    /// short count if both bare runs are there to compare them with.
    pub(super) fn round(
        &mut self,
        step: (Stage, usize, usize),
        playing: &[usize],
        later: Duration,
    ) -> Result<(), Stop> {
        let mut order = vec![ContestantIndex::Bare, ContestantIndex::Bare];
        order.extend(
            playing
                .iter()
                .map(|candidate| ContestantIndex::Candidate(*candidate)),
        );
        self.draw.shuffle(&mut order);
        let mut bare = Vec::new();
        let mut candidates = vec![None; self.states.len()];
        let mut stopped = Ok(());
        for (done, &contestant) in order.iter().enumerate() {
            let left: Duration = order[done..]
                .iter()
                .map(|contestant| self.cost_of_contestant(*contestant))
                .sum();
            match (self.run(contestant, step, left + later), contestant) {
                (Ok((Ok(figures), _)), ContestantIndex::Bare) => bare.push(figures),
                (Ok((Err(why), _)), ContestantIndex::Bare) => {
                    stopped = Err(Stop::Early(EndedEarly::BareFailed(why)));
                    break;
                }
                (Ok((Ok(figures), _)), ContestantIndex::Candidate(candidate)) => {
                    candidates[candidate] = Some(figures)
                }
                (Ok((Err(why), _)), ContestantIndex::Candidate(candidate)) => {
                    let before = self
                        .rounds
                        .iter()
                        .filter(|round| round.stage != step.0)
                        .count();
                    self.drop_candidate(candidate, before + step.1, why);
                }
                (Err(stop), _) => {
                    stopped = Err(stop);
                    break;
                }
            }
        }
        if let Ok(bare) = <[Figures; 2]>::try_from(bare) {
            self.rounds.push(Round {
                stage: step.0,
                bare,
                candidates,
            });
        }
        stopped
    }

    /// Makes one run; also returns how long it took.
    pub(super) fn run(
        &mut self,
        index: ContestantIndex,
        step: (Stage, usize, usize),
        left: Duration,
    ) -> Result<(Result<Figures, WhyDropped>, Duration), Stop> {
        let contestant = match index {
            ContestantIndex::Bare => Contestant::Bare,
            ContestantIndex::Candidate(candidate) => {
                Contestant::Candidate(self.settings.candidates[candidate].name.clone())
            }
        };
        let (ended, took) = self
            .umpire
            .run(&contestant, step, left)
            .map_err(|error| Stop::Unplayable(Unplayable::Runner(error)))?;
        match index {
            ContestantIndex::Bare => self.bare_price.add(took),
            ContestantIndex::Candidate(candidate) => self.states[candidate].price.add(took),
        }
        match ended {
            Ended::Counts(figures) => {
                if let (ContestantIndex::Candidate(candidate), Some(coverage)) =
                    (index, &figures.coverage)
                {
                    self.states[candidate].coverage = Some(coverage.clone());
                }
                Ok((Ok(figures), took))
            }
            Ended::Failed(why) => Ok((Err(why), took)),
            Ended::Interrupted => Err(Stop::Early(EndedEarly::Interrupted)),
            Ended::OutOfTime if self.plan.is_none() => {
                Err(Stop::Unplayable(Unplayable::FirstRun {
                    limit: self.settings.time_limit,
                }))
            }
            Ended::OutOfTime => Err(Stop::Early(EndedEarly::OutOfTime)),
        }
    }
}

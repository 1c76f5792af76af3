//! The stages of a tournament: bare once, a warm-up, rounds of all candidates, and a final.

use std::ops::Range;
use std::time::Duration;

use super::announcement;
use super::plan::{DoesNotFit, LEAST_ROUNDS, Plan};
use super::play::{Stop, Tournament};
use super::round::ContestantIndex;
use super::standings::most_promising;
use crate::trial::{EndedEarly, PASS_THROUGH, Stage, Unplayable};

impl Tournament<'_> {
    pub(super) fn stages(&mut self) -> Result<(), Stop> {
        let plan = self.first_run()?;
        self.plan = Some(plan);
        self.entered = plan.candidates;
        let of_final = self.final_cost(plan.final_rounds);
        self.warm_up(0..plan.candidates, plan.rounds, of_final)?;
        self.qualifying(0..plan.candidates, plan.rounds, of_final)?;
        self.latecomers(&plan)?;
        self.finals()
    }

    /// Runs bare once, since otherwise nothing is known about the time that the rest takes. The very first run may take longer
    /// than the following ones because files and pages must be loaded: if that would cost a candidate its place, bare runs once
    /// more.
    fn first_run(&mut self) -> Result<Plan, Stop> {
        let first = self.bare_alone()?;
        let mut one_run = first;
        let mut plan = self.planned(one_run);
        let all = self.settings.candidates.len();
        let is_short = plan.is_err() || plan.is_ok_and(|plan| plan.candidates < all);
        if is_short && first < self.umpire.left() {
            one_run = match self.bare_alone() {
                Err(Stop::Unplayable(Unplayable::FirstRun { .. })) => first,
                again => first.min(again?),
            };
            plan = self.planned(one_run);
        }
        let limit = self.settings.time_limit;
        let too_long = |why| Unplayable::TooLong {
            one_run,
            limit,
            why,
        };
        let plan = plan.map_err(|why| Stop::Unplayable(too_long(why)))?;
        let line = announcement::announcement(&plan, self.settings);
        self.umpire.watcher.announce(&line);
        if let Some(line) = announcement::left_out_at_first(plan.candidates, self.settings) {
            self.umpire.watcher.tell(&line);
        }
        Ok(plan)
    }

    fn bare_alone(&mut self) -> Result<Duration, Stop> {
        let (bare, took) = self.run(ContestantIndex::Bare, (Stage::WarmUp, 1, 1), Duration::MAX)?;
        match bare {
            Ok(_) => Ok(took),
            Err(why) => Err(Stop::Unplayable(Unplayable::Bare(why))),
        }
    }

    fn planned(&mut self, one_run: Duration) -> Result<Plan, DoesNotFit> {
        let candidates = &self.settings.candidates;
        let has_control = candidates.iter().any(|it| it.name == PASS_THROUGH);
        let left = self.umpire.left();
        Plan::make(
            candidates.len(),
            has_control,
            one_run,
            self.settings.rounds,
            left,
        )
    }

    /// Runs every candidate of a heat once. A candidate that crashes or hangs does so here already; the figures do not count.
    /// Then follow `rounds` rounds, and stages that take `afterwards`.
    pub(super) fn warm_up(
        &mut self,
        heat: Range<usize>,
        rounds: usize,
        afterwards: Duration,
    ) -> Result<(), Stop> {
        let later = self.cost(heat.len()) * rounds as u32 + afterwards;
        let mut order: Vec<usize> = heat.collect();
        self.draw.shuffle(&mut order);
        for (done, &candidate) in order.iter().enumerate() {
            let left = self.bare_run() * (order.len() - done) as u32 + later;
            let step = (Stage::WarmUp, 1, 1);
            match self.run(ContestantIndex::Candidate(candidate), step, left)? {
                (Ok(_), _) => {}
                (Err(why), _) => self.drop_candidate(candidate, 0, why),
            }
        }
        Ok(())
    }

    /// Plays rounds of all candidates of a heat that have not been dropped. Their numbers continue those of earlier heats.
    pub(super) fn qualifying(
        &mut self,
        heat: Range<usize>,
        rounds: usize,
        afterwards: Duration,
    ) -> Result<(), Stop> {
        let earlier = self.rounds.len();
        let reserved = match earlier {
            0 => afterwards.min(self.final_cost(LEAST_ROUNDS)),
            _ => afterwards,
        };
        for round in 1..=rounds {
            let playing = self.playing(heat.clone());
            if playing.is_empty() {
                break;
            }
            let cost = self.cost_of(&playing);
            if cost + reserved > self.umpire.left() {
                if earlier + round == 1 {
                    return Err(Stop::Early(EndedEarly::OutOfTime));
                }
                self.remarks.push(format!(
                    "only {} of {rounds} rounds fit into the time, because other locks took longer than the program's own",
                    round - 1,
                ));
                break;
            }
            let later = cost * (rounds - round) as u32 + afterwards;
            let step = (Stage::Qualifying, earlier + round, earlier + rounds);
            self.round(step, &playing, later)?;
            self.drop_clearly_worse(&playing, earlier + round);
        }
        Ok(())
    }

    /// Plays bare against the most promising candidate alone; if that one fails, against the next.
    fn finals(&mut self) -> Result<(), Stop> {
        let most = self.plan.map_or(0, |plan| plan.final_rounds);
        if most == 0 {
            return Ok(());
        }
        while let Some(in_final) = most_promising(self.settings, &self.rounds, &self.states) {
            let cost = self.final_cost_of(in_final);
            let fitting = (1..=most)
                .rev()
                .find(|rounds| cost * *rounds as u32 <= self.umpire.left());
            let Some(rounds) = fitting.filter(|it| *it >= LEAST_ROUNDS) else {
                return Err(Stop::Early(EndedEarly::OutOfTime));
            };
            self.in_final = Some(in_final);
            for round in 1..=rounds {
                let later = cost * (rounds - round) as u32;
                self.round((Stage::Final, round, rounds), &[in_final], later)?;
                if self.states[in_final].dropped.is_some() {
                    self.in_final = None;
                    break;
                }
            }
            if self.in_final.is_some() {
                break;
            }
        }
        Ok(())
    }
}

//! The stages of a tournament: bare once, a warm-up, rounds of all, and a final.

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
        self.warm_up(&plan)?;
        self.qualifying(&plan)?;
        self.finals(&plan)
    }

    /// Bare, once, without which nothing is known of the time that the rest takes. The very first run may take longer than those
    /// that follow, with files and pages to be fetched: where it would cost a candidate its place, bare runs once more.
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
        let left_out = announcement::left_out(&plan, self.settings);
        if let Some(line) = &left_out {
            self.umpire.watcher.tell(line);
        }
        self.remarks.extend(left_out);
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

    /// Every candidate once. What crashes or hangs does so here already; the figures do not count.
    fn warm_up(&mut self, plan: &Plan) -> Result<(), Stop> {
        let mut order: Vec<usize> = (0..plan.candidates).collect();
        self.draw.shuffle(&mut order);
        let later =
            self.cost(plan.candidates) * plan.rounds as u32 + self.final_cost(plan.final_rounds);
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

    /// Rounds of all that are still in.
    fn qualifying(&mut self, plan: &Plan) -> Result<(), Stop> {
        let reserved = LEAST_ROUNDS.min(plan.final_rounds);
        for round in 1..=plan.rounds {
            let playing = self.playing(plan);
            if playing.is_empty() {
                break;
            }
            let cost = self.cost_of(&playing);
            if cost + self.final_cost(reserved) > self.umpire.left() {
                if round == 1 {
                    return Err(Stop::Early(EndedEarly::OutOfTime));
                }
                self.remarks.push(format!(
                    "only {} of {} rounds fitted into the time, since candidates took longer than the program's own locks",
                    round - 1,
                    plan.rounds
                ));
                break;
            }
            let later = cost * (plan.rounds - round) as u32 + self.final_cost(plan.final_rounds);
            self.round((Stage::Qualifying, round, plan.rounds), &playing, later)?;
            self.drop_clearly_worse(&playing, round);
        }
        Ok(())
    }

    /// Bare and the most promising candidate alone; the next one if that fails.
    fn finals(&mut self, plan: &Plan) -> Result<(), Stop> {
        if plan.final_rounds == 0 {
            return Ok(());
        }
        while let Some(in_final) = most_promising(self.settings, &self.rounds, &self.states) {
            let cost = self.final_cost_of(in_final);
            let fitting = (1..=plan.final_rounds)
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

//! Candidates that the plan left out run after all if time remains: a plan reserves time for a final, and often none is needed.

use std::ops::Range;
use std::time::Duration;

use super::announcement;
use super::plan::{LEAST_ROUNDS, Plan, runs};
use super::play::{Stop, Tournament};
use super::standings::most_promising;

/// The share of the remaining time that is kept back: a run may take longer than the earlier ones.
const RESERVE: f64 = 0.1;

impl Tournament<'_> {
    /// Plays heats of the candidates that were left out, as long as one fits: each has its own warm-up and rounds, with bare
    /// twice in a round.
    pub(super) fn latecomers(&mut self, plan: &Plan) -> Result<(), Stop> {
        while let Some(late) = self.heat_that_fits(plan) {
            let line = announcement::latecomers(&late, plan.rounds, self.settings);
            self.umpire.watcher.tell(&line);
            self.remarks.push(line);
            self.entered = late.end;
            // There is now more than one lock, so a final has to choose.
            if let Some(plan) = &mut self.plan {
                plan.final_rounds = plan.final_rounds.max(LEAST_ROUNDS);
            }
            self.warm_up(late.clone(), plan.rounds, self.reserved(plan))?;
            self.qualifying(late, plan.rounds, self.reserved(plan))?;
        }
        Ok(())
    }

    /// Returns the next candidates in line, as many as there is time for; `None` if there is time for none.
    fn heat_that_fits(&mut self, plan: &Plan) -> Option<Range<usize>> {
        let (first, all) = (self.entered, self.settings.candidates.len());
        let left = self.umpire.left().mul_f64(1.0 - RESERVE);
        let reserved = self.reserved(plan);
        let fits = |candidates: usize| {
            let runs = u32::try_from(runs(candidates, plan.rounds, 0)).unwrap_or(u32::MAX);
            self.bare_run()
                .saturating_mul(runs)
                .saturating_add(reserved)
                <= left
        };
        let most = (1..=all - first).rev().find(|it| fits(*it))?;
        Some(first..first + most)
    }

    /// Returns the duration of a final, or zero if the results so far call for none: then latecomers get that time. If no time
    /// for a final is left for a promising latecomer, it is reported as promising, which is more than if it had not run.
    fn reserved(&self, plan: &Plan) -> Duration {
        let in_final = most_promising(self.settings, &self.rounds, &self.states);
        in_final.map_or(Duration::ZERO, |it| {
            let rounds = plan.final_rounds.max(LEAST_ROUNDS);
            self.final_cost_of(it) * rounds as u32
        })
    }
}

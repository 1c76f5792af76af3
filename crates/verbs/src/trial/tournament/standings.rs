//! The rank of each candidate, and whether its difference is more than chance.

use std::time::Duration;

use locktoll_lab::stats::{Blocks, Estimate, estimate, holm};

use super::candidate_state::CandidateState;
use super::plan::Plan;
use super::rounds::{Of, Round, against_bare, cpu_ns, metric, same_against_same};
use crate::trial::{EndedEarly, Figures, PASS_THROUGH, Played, Settings, Stage};
use locktoll_results::trial::{Best, Better as TrialBetter, TrialRow, Verdict, WhyDropped};

/// The probability, at most, that a tournament without any difference reports one.
pub const LEVEL: f64 = 0.05;
/// A ratio closer to 1 than this factor is never called a difference. The placement of a program's memory alone can cause as much
/// (Mytkowicz and others, *Producing wrong data without doing anything obviously wrong*, 2009), and our library moves it.
const LEAST_FACTOR: f64 = 1.01;

/// Everything that was measured.
pub struct Standings<'a> {
    pub settings: &'a Settings,
    pub rounds: &'a [Round],
    pub states: &'a [CandidateState],
    pub in_final: Option<usize>,
    pub plan: Option<Plan>,
}

/// Returns the candidate with the best ratio of those not dropped, if it is better by more than bare differs from itself.
pub fn most_promising(
    settings: &Settings,
    rounds: &[Round],
    states: &[CandidateState],
) -> Option<usize> {
    let least = margin(same_against_same(rounds).as_ref());
    let gain = |candidate: usize| {
        let ratio = against_bare(rounds, Stage::Qualifying, candidate, metric)?.estimate();
        Some(gain(settings.metric.better, ratio.median))
    };
    let is_in =
        |it: &usize| states[*it].dropped.is_none() && settings.candidates[*it].name != PASS_THROUGH;
    let gains = (0..states.len())
        .filter(is_in)
        .filter_map(|it| Some((it, gain(it)?)));
    let promising = gains.filter(|(_, gain)| *gain > least);
    promising
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(it, _)| it)
}

/// Returns a ratio in the sense of a speed: above 1 is better.
pub fn gain(better: TrialBetter, ratio: f64) -> f64 {
    match better {
        TrialBetter::Lower => 1.0 / ratio,
        TrialBetter::Higher => ratio,
    }
}

/// Returns the factor beyond which a difference counts: at least the median by which bare differs from itself.
fn margin(same: Option<&Estimate>) -> f64 {
    let shown = same.map_or(1.0, |same| same.median.max(1.0 / same.median));
    shown.max(LEAST_FACTOR)
}

/// Probabilities of results at least this good, and at least this bad, if there were no difference beyond the margin.
struct Chance {
    better: f64,
    worse: f64,
}

impl Chance {
    fn of(blocks: &Blocks, better: TrialBetter, margin: f64) -> Self {
        let (below, above) = (blocks.p_below(1.0 / margin), blocks.p_above(margin));
        match better {
            TrialBetter::Lower => Self {
                better: below,
                worse: above,
            },
            TrialBetter::Higher => Self {
                better: above,
                worse: below,
            },
        }
    }
}

impl Standings<'_> {
    /// Returns the result of the tournament.
    pub fn result(
        &self,
        ended_early: Option<EndedEarly>,
        taken: Duration,
        remarks: Vec<String>,
    ) -> Played {
        let same = same_against_same(self.rounds);
        let verdicts = self.verdicts(margin(same.as_ref()));
        let of_stage = |stage| self.rounds_of(stage).count();
        let best = self.best(&verdicts);
        let mut results: Vec<TrialRow> = (0..self.states.len())
            .map(|it| self.row(it, verdicts[it]))
            .collect();
        // The sort is stable: equal rows stay in the order of the candidates.
        results.sort_by(|a, b| {
            self.place(a, best.as_ref())
                .partial_cmp(&self.place(b, best.as_ref()))
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        results.insert(0, self.bare_row());
        let promising = self.promising(best.as_ref());
        Played {
            metric: self.settings.metric.clone(),
            rounds: of_stage(Stage::Qualifying),
            final_rounds: self.in_final.map_or(0, |it| {
                self.blocks(it, metric).map_or(0, |it| it.estimate().n)
            }),
            taken_ns: nanoseconds(taken),
            ended_early,
            same_against_same: same,
            results,
            best,
            promising,
            remarks,
        }
    }

    /// Returns the rounds by which a candidate is judged: for the finalist, those of the final.
    fn blocks(&self, candidate: usize, of: Of) -> Option<Blocks> {
        against_bare(self.rounds, self.stage_of(candidate), candidate, of)
    }

    /// Returns the part of the tournament that a candidate's figures are from.
    fn stage_of(&self, candidate: usize) -> Stage {
        match self.in_final == Some(candidate) {
            true => Stage::Final,
            false => Stage::Qualifying,
        }
    }

    fn rounds_of(&self, stage: Stage) -> impl Iterator<Item = &Round> {
        self.rounds.iter().filter(move |round| round.stage == stage)
    }

    /// Returns the error level outside the final. If there is a final, it gets half of [`LEVEL`], and all other candidates
    /// together get the rest.
    fn level(&self) -> f64 {
        let has_final = self.plan.is_some_and(|plan| plan.final_rounds > 0);
        if has_final { LEVEL / 2.0 } else { LEVEL }
    }

    /// Returns the number of rounds that a candidate outside the final needs before it can be found to differ at all.
    fn rounds_needed(&self) -> usize {
        let family = (0..self.states.len())
            .filter(|it| self.in_final != Some(*it) && self.blocks(*it, metric).is_some())
            .count();
        rounds_needed(family, self.level())
    }

    fn verdicts(&self, margin: f64) -> Vec<Option<Verdict>> {
        let better = self.settings.metric.better;
        let level = self.level();
        let chances: Vec<(usize, Chance)> = (0..self.states.len())
            .filter_map(|it| Some((it, Chance::of(&self.blocks(it, metric)?, better, margin))))
            .collect();
        let family: Vec<&(usize, Chance)> = chances
            .iter()
            .filter(|(it, _)| self.in_final != Some(*it))
            .collect();
        let p: Vec<f64> = family
            .iter()
            .map(|(_, chance)| 2.0 * chance.better.min(chance.worse))
            .collect();
        let significant = holm(&p, level);
        let mut verdicts = vec![None; self.states.len()];
        let needed = self.rounds_needed();
        for ((candidate, chance), significant) in family.into_iter().zip(significant) {
            let rounds = self.blocks(*candidate, metric).map_or(0, |it| it.rounds());
            verdicts[*candidate] = Some(match significant {
                true if chance.better < chance.worse => Verdict::Faster,
                true => Verdict::Slower,
                false if rounds < needed => Verdict::NotJudged,
                false => Verdict::NoDifference,
            });
        }
        for (candidate, chance) in &chances {
            if self.in_final == Some(*candidate) {
                let rounds = self.blocks(*candidate, metric).map_or(0, |it| it.rounds());
                verdicts[*candidate] = Some(match chance.better <= LEVEL / 2.0 {
                    true => Verdict::Faster,
                    false if rounds < rounds_needed(1, LEVEL) => Verdict::NotJudged,
                    false => Verdict::NoDifference,
                });
            }
        }
        for (state, verdict) in self.states.iter().zip(&mut verdicts) {
            match &state.dropped {
                Some(dropped) if dropped.why == WhyDropped::ClearlyWorse => {
                    *verdict = Some(Verdict::Slower)
                }
                Some(_) => *verdict = None,
                None => {}
            }
        }
        verdicts
    }

    /// Returns the best lock: the finalist or, without a final, the only lock.
    fn best(&self, verdicts: &[Option<Verdict>]) -> Option<Best> {
        let has_final = self.plan.is_some_and(|plan| plan.final_rounds > 0);
        let only = || {
            let locks = (0..self.states.len())
                .filter(|it| self.settings.candidates[*it].name != PASS_THROUGH);
            locks.into_iter().next()
        };
        let best = if has_final { self.in_final } else { only() }?;
        if verdicts[best] != Some(Verdict::Faster) {
            return None;
        }
        Some(Best {
            lock: self.settings.candidates[best].name.clone(),
            ratio_to_bare: self.blocks(best, metric)?.estimate(),
            cpu_ratio: self.blocks(best, cpu_ns).map(|it| it.estimate()),
        })
    }

    /// Returns the candidate that looks best if no final was played, or only a part of one.
    fn promising(&self, best: Option<&Best>) -> Option<(String, Estimate)> {
        let plan = self.plan?;
        let decided = self.in_final.is_some_and(|it| {
            self.blocks(it, metric)
                .is_some_and(|blocks| blocks.estimate().n >= super::plan::LEAST_ROUNDS)
        });
        if best.is_some() || plan.final_rounds == 0 || decided {
            return None;
        }
        let first = most_promising(self.settings, self.rounds, self.states)?;
        let ratio = against_bare(self.rounds, Stage::Qualifying, first, metric)?.estimate();
        Some((self.settings.candidates[first].name.clone(), ratio))
    }

    fn row(&self, candidate: usize, verdict: Option<Verdict>) -> TrialRow {
        let about = &self.settings.candidates[candidate];
        let runs = || {
            self.rounds_of(self.stage_of(candidate))
                .filter_map(|round| round.candidates.get(candidate)?.as_ref())
        };
        TrialRow {
            lock: about.name.clone(),
            summary: about.summary.clone(),
            is_pure_spinner: about.is_pure_spinner,
            metric: over(runs(), metric),
            ratio_to_bare: self.blocks(candidate, metric).map(|it| it.estimate()),
            verdict,
            rounds_needed: (verdict == Some(Verdict::NotJudged)).then(|| {
                match self.in_final == Some(candidate) {
                    true => rounds_needed(1, LEVEL),
                    false => self.rounds_needed(),
                }
            }),
            cpu_ns: over(runs(), cpu_ns),
            cpu_ratio: self.blocks(candidate, cpu_ns).map(|it| it.estimate()),
            is_finalist: self.in_final == Some(candidate),
            coverage: self.states[candidate].coverage.clone(),
            dropped: self.states[candidate].dropped.clone(),
            remarks: about.remarks.clone(),
        }
    }

    fn bare_row(&self) -> TrialRow {
        let runs = || {
            self.rounds_of(Stage::Qualifying)
                .flat_map(|round| &round.bare)
        };
        TrialRow {
            lock: "bare".to_owned(),
            summary: "the unmodified program".to_owned(),
            is_pure_spinner: false,
            metric: over(runs(), metric),
            ratio_to_bare: None,
            verdict: None,
            rounds_needed: None,
            cpu_ns: over(runs(), cpu_ns),
            cpu_ratio: None,
            is_finalist: false,
            coverage: None,
            dropped: None,
            remarks: Vec::new(),
        }
    }

    /// Returns the sort key of a row: the pass-through, the best, then by verdict and ratio; failed candidates come last.
    fn place(&self, row: &TrialRow, best: Option<&Best>) -> (u8, f64) {
        let rank = match row.verdict {
            _ if row.lock == PASS_THROUGH => 0,
            _ if best.is_some_and(|best| best.lock == row.lock) => 1,
            Some(Verdict::Faster) => 2,
            Some(Verdict::NoDifference | Verdict::NotJudged) => 3,
            Some(Verdict::Slower) => 4,
            None => 5,
        };
        let ratio = row
            .ratio_to_bare
            .map(|it| gain(self.settings.metric.better, it.median));
        (rank, -ratio.unwrap_or(0.0))
    }
}

/// Returns the fewest rounds in which one of `candidates` candidates can be found to differ: it must be better (or worse) than
/// both bare runs in each round, which for an equal candidate happens in one round of three.
pub fn rounds_needed(candidates: usize, level: f64) -> usize {
    let mut rounds = 1;
    let mut chance = 2.0 * candidates.max(1) as f64 / 3.0;
    while chance > level {
        chance /= 3.0;
        rounds += 1;
    }
    rounds
}

fn over<'a>(runs: impl Iterator<Item = &'a Figures>, of: Of) -> Option<Estimate> {
    estimate(&runs.map(of).collect::<Vec<_>>())
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;

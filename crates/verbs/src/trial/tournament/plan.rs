//! How many rounds fit into the time.

use std::time::Duration;

/// More rounds than these tell little more.
pub const MOST_ROUNDS: usize = 15;
/// With fewer, 95 % leave no room for one wild run: see [`Blocks`](locktoll_lab::stats::Blocks).
pub const LEAST_ROUNDS: usize = 5;
/// More than this many rounds are never played, whatever was asked for.
const MOST_WANTED: usize = 10_000;
/// By how many rounds a final is longer than what comes before, up to [`MOST_ROUNDS`]: its rounds are short, and they decide.
const FINAL_IS_LONGER_BY: usize = 4;

/// Bare runs twice in a round.
const BARE_RUNS: usize = 2;
/// Those of a final: bare, bare again, the candidate.
pub const RUNS_OF_A_FINAL: usize = BARE_RUNS + 1;

/// What is to be played, as far as is known after the first run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// How many of the candidates take part from the beginning; those after them play only if time remains.
    pub candidates: usize,
    /// Rounds of all.
    pub rounds: usize,
    /// Rounds of the final; 0 where there is nothing to choose from.
    pub final_rounds: usize,
    /// What it takes if everyone is as fast as bare.
    pub about: Duration,
}

/// Not even the least that could prove anything fits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DoesNotFit {
    /// Runs of the least.
    pub runs: usize,
    /// A bound on the time into which it would fit.
    pub needed: Duration,
}

impl Plan {
    /// A plan for so many `candidates`, of which the first replaces nothing if `has_control`, where one run takes `one_run` and
    /// the first has been made.
    ///
    /// Half the time is held back where that is possible, since candidates may be slower than bare.
    ///
    /// # Errors
    /// [`DoesNotFit`].
    pub fn make(
        candidates: usize,
        has_control: bool,
        one_run: Duration,
        wanted: Option<usize>,
        limit: Duration,
    ) -> Result<Self, DoesNotFit> {
        let of = |candidates: usize, rounds: usize| {
            let chooses = candidates > usize::from(has_control) + 1;
            let final_rounds = match chooses {
                true => (rounds + FINAL_IS_LONGER_BY).clamp(LEAST_ROUNDS, MOST_ROUNDS),
                false => 0,
            };
            let runs = runs(candidates, rounds, final_rounds);
            let about = one_run.saturating_mul(u32::try_from(runs).unwrap_or(u32::MAX));
            Self {
                candidates,
                rounds,
                final_rounds,
                about,
            }
        };
        // Some is kept in reserve in any case: a run that takes longer than the others must not cost the final.
        let (half, most_of_it) = (limit.mul_f64(0.5), limit.mul_f64(0.9));
        let least_candidates = candidates.min(usize::from(has_control) + 1);
        let fitting = |most: usize, limit: Duration| {
            let descending = (LEAST_ROUNDS.min(most)..=most).rev();
            let plans = descending.map(|rounds| of(candidates, rounds));
            plans.into_iter().find(|plan| plan.about <= limit)
        };
        let roomy = match wanted {
            Some(wanted) => fitting(wanted.min(MOST_WANTED), most_of_it),
            None => fitting(MOST_ROUNDS, half),
        };
        let least = LEAST_ROUNDS.min(wanted.unwrap_or(LEAST_ROUNDS));
        let tight = (least_candidates..=candidates)
            .rev()
            .map(|candidates| of(candidates, least))
            .find(|plan| plan.about <= most_of_it);
        roomy.or(tight).ok_or_else(|| {
            let plan = of(least_candidates, least);
            DoesNotFit {
                runs: runs(least_candidates, least, plan.final_rounds) + 1,
                needed: (plan.about + one_run).mul_f64(1.0 / 0.9),
            }
        })
    }
}

/// Runs that are still to be made once bare has run for the first time.
pub fn runs(candidates: usize, rounds: usize, final_rounds: usize) -> usize {
    let of_rounds = rounds.saturating_mul(candidates + BARE_RUNS);
    of_rounds.saturating_add(candidates + final_rounds * RUNS_OF_A_FINAL)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TEN_MINUTES: Duration = Duration::from_secs(600);

    fn plan(candidates: usize, seconds: f64) -> Result<Plan, DoesNotFit> {
        Plan::make(
            candidates,
            true,
            Duration::from_secs_f64(seconds),
            None,
            TEN_MINUTES,
        )
    }

    #[test]
    fn short_programs_run_often_and_long_ones_less() {
        let rounds =
            |seconds| plan(11, seconds).map(|it| (it.candidates, it.rounds, it.final_rounds));
        assert_eq!(rounds(0.01), Ok((11, 15, 15)));
        assert_eq!(rounds(1.0), Ok((11, 15, 15)));
        assert_eq!(rounds(2.0), Ok((11, 7, 11)));
        assert_eq!(rounds(4.0), Ok((11, 5, 9)));
        // Six of eleven.
        assert_eq!(rounds(7.0), Ok((6, 5, 9)));
        let too_long = plan(11, 60.0).unwrap_err();
        assert_eq!(too_long.runs, 23);
        assert_eq!(too_long.needed.as_secs(), 23 * 60 * 10 / 9);
    }

    #[test]
    fn one_lock_needs_no_final() {
        assert_eq!(plan(2, 1.0).unwrap().final_rounds, 0);
        assert_eq!(plan(3, 1.0).unwrap().final_rounds, 15);
    }

    #[test]
    fn wanted_rounds_are_kept_if_they_fit() {
        let wanted = |rounds, seconds| {
            let one_run = Duration::from_secs_f64(seconds);
            Plan::make(11, true, one_run, Some(rounds), TEN_MINUTES).map(|it| it.rounds)
        };
        assert_eq!(wanted(30, 1.0), Ok(30));
        assert_eq!(wanted(30, 2.0), Ok(16));
        assert_eq!(wanted(1, 2.0), Ok(1));
    }

    proptest! {
        #[test]
        fn what_is_planned_fits(
            candidates in 1usize..40,
            control: bool,
            milliseconds in 0u64..200_000,
            wanted in prop::option::of(1usize..2_000),
        ) {
            let one_run = Duration::from_millis(milliseconds);
            match Plan::make(candidates, control, one_run, wanted, TEN_MINUTES) {
                Ok(plan) => {
                    prop_assert!(plan.about <= TEN_MINUTES.mul_f64(0.9));
                    prop_assert!(plan.rounds >= LEAST_ROUNDS.min(wanted.unwrap_or(LEAST_ROUNDS)));
                    prop_assert!((1..=candidates).contains(&plan.candidates));
                }
                Err(not) => prop_assert!(not.needed > TEN_MINUTES),
            }
        }
    }
}

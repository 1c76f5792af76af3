//! How many rounds fit into the time.

use std::time::Duration;

/// More rounds than this add little information.
pub const MOST_ROUNDS: usize = 15;
/// With fewer rounds, a 95 % interval leaves no room for one wild run: see [`Blocks`](locktoll_lab::stats::Blocks).
pub const LEAST_ROUNDS: usize = 5;
/// No more rounds than this are ever played, whatever the user asked for.
const MOST_WANTED: usize = 10_000;
/// How many more rounds a final has than the main part, up to [`MOST_ROUNDS`]: its rounds are short, and they decide.
const FINAL_IS_LONGER_BY: usize = 4;

/// Bare runs twice in a round.
const BARE_RUNS: usize = 2;
/// Runs in a round of a final: bare, bare again, the candidate.
pub const RUNS_OF_A_FINAL: usize = BARE_RUNS + 1;

/// The plan of the tournament, from what is known after the first run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// How many of the candidates take part from the beginning; the others play only if time remains.
    pub candidates: usize,
    /// Rounds of all candidates.
    pub rounds: usize,
    /// Rounds of the final; 0 if there is nothing to choose from.
    pub final_rounds: usize,
    /// The duration if every candidate is as fast as bare.
    pub about: Duration,
}

/// The error when not even the smallest plan that could prove anything fits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DoesNotFit {
    /// Number of runs of the smallest plan.
    pub runs: usize,
    /// A time limit into which it would fit.
    pub needed: Duration,
}

impl Plan {
    /// Makes a plan for up to `candidates` candidates, the first of which replaces nothing if `has_control` is set. A run takes
    /// `one_run`, and the first run has been made.
    ///
    /// Keeps half the time in reserve if possible, since candidates may be slower than bare.
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
        // Some time is kept in reserve in any case: a run that takes longer than the others must not cost the final.
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

/// Returns the number of runs still to be made after bare's first run.
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
        // Six of eleven candidates.
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

//! Judging again and again while rounds are added.
//!
//! If one looks at a 95 % interval after each few rounds, and stops as soon as it lies on one side of a bound, the verdict is
//! wrong more often than in 5 % of the cases: each look is another chance for a wrong one. Here the rounds are doubled from look
//! to look, and the probability of 5 % is divided among the looks: half of it for the first, a quarter for the second, and so on.
//! The probabilities that the intervals of all looks together miss the true median then add up to less than 5 %, however the
//! looks depend on each other (C. E. Bonferroni, 1936; for rules that spend it less cautiously, see K. K. G. Lan and D. L. DeMets,
//! "Discrete Sequential Boundaries for Clinical Trials", Biometrika 70, 1983).
//!
//! What this assumes is what the intervals assume: that the rounds are drawn independently. Drift that affects all cells of a
//! round alike cancels in their ratio.

use super::estimate::MISSES;

/// One look at the rounds so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Look {
    /// The only one.
    #[default]
    Only,
    /// The one with this number, from 1, of several.
    OfSeveral(u32),
}

impl Look {
    /// The last look: the rounds are then 2^5 times those of the first.
    pub const LAST: u32 = 6;

    /// The probability that an interval at this look may miss the true median.
    pub fn misses(self) -> f64 {
        match self {
            Self::Only => MISSES,
            Self::OfSeveral(look) => MISSES / f64::from(look).exp2(),
        }
    }

    /// The look after this one, if there is one.
    pub fn next(self) -> Option<Self> {
        match self {
            Self::OfSeveral(look) if look < Self::LAST => Some(Self::OfSeveral(look + 1)),
            Self::Only | Self::OfSeveral(_) => None,
        }
    }

    /// Its number, from 1.
    pub fn number(self) -> u32 {
        match self {
            Self::Only => 1,
            Self::OfSeveral(look) => look,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::estimate::estimate_missing;
    use super::super::made_up::{normal, uniform};
    use super::*;
    use crate::random::Random;

    #[test]
    fn the_looks_share_the_probability() {
        let mut look = Look::OfSeveral(1);
        let mut sum = look.misses();
        let mut looks = 1;
        while let Some(next) = look.next() {
            (look, looks) = (next, looks + 1);
            sum += look.misses();
        }
        assert_eq!(looks, Look::LAST);
        assert!(sum < MISSES, "{sum}");
        assert_eq!((Look::Only.misses(), Look::Only.next()), (MISSES, None));
    }

    /// Draws the figure of one round.
    type Draw = fn(&mut Random) -> f64;

    /// Kinds of noise around a true median of 1, as rounds of a benchmark have them.
    const KINDS: [(&str, Draw); 5] = [
        ("normal", |random| 1.0 + 0.1 * normal(random)),
        ("lognormal, to one side", |random| {
            (0.5 * normal(random)).exp()
        }),
        ("Cauchy, with wild rounds", |random| {
            1.0 + 0.05 * (std::f64::consts::PI * (uniform(random) - 0.5)).tan()
        }),
        ("two modes, the median at the edge of one", |random| {
            let high = uniform(random) > 0.5;
            1.0 + if high { 0.2 } else { -0.01 } * uniform(random)
        }),
        ("in steps of a coarse clock", |random| {
            1.0 + (0.1 * normal(random) * 20.0).trunc() / 20.0
        }),
    ];

    /// Adds rounds until the interval lies on one side of a bound, and returns whether it then says that the median is below.
    fn says_below(noise: Draw, bound: f64, random: &mut Random) -> Option<bool> {
        const FIRST: usize = 7;
        let mut rounds: Vec<f64> = Vec::new();
        let mut look = Look::OfSeveral(1);
        loop {
            let all = FIRST << (look.number() - 1);
            rounds.resize_with(all, || noise(random));
            let seen = estimate_missing(&rounds, look.misses()).unwrap();
            if seen.high < bound {
                return Some(true);
            }
            if seen.low > bound {
                return Some(false);
            }
            look = look.next()?;
        }
    }

    /// The worst case: the bound lies at the true median itself, so each verdict is wrong. A bound further away is wronged less.
    #[test]
    fn verdicts_are_wrong_as_seldom_as_is_stated() {
        const TRIALS: u32 = 10_000;
        for (kind, noise) in KINDS {
            let mut random = Random::new(1);
            let wrong = (0..TRIALS)
                .filter(|_| says_below(noise, 1.0, &mut random).is_some())
                .count();
            let share = wrong as f64 / f64::from(TRIALS);
            println!("{kind}: {:.2} % wrong", share * 100.0);
            assert!(share <= MISSES, "{kind}: {share}");
        }
    }

    /// Looking at 95 % intervals instead, as often, is wrong more often than that: the test above can fail.
    #[test]
    fn without_the_rule_they_are_wrong_more_often() {
        let mut random = Random::new(1);
        let wrong = (0..2_000).filter(|_| {
            let mut rounds: Vec<f64> = Vec::new();
            (1..=Look::LAST).any(|look| {
                rounds.resize_with(7 << (look - 1), || KINDS[0].1(&mut random));
                let seen = estimate_missing(&rounds, MISSES).unwrap();
                seen.high < 1.0 || seen.low > 1.0
            })
        });
        assert!(wrong.count() > 200);
    }

    #[test]
    fn what_is_clear_is_said_at_once() {
        for (kind, noise) in KINDS {
            let mut random = Random::new(2);
            let far = (0..200).filter(|_| says_below(noise, 3.0, &mut random) == Some(true));
            assert!(far.count() > 190, "{kind}");
        }
    }
}

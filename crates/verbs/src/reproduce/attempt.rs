//! A claim with the results of its runs, to which rounds can be added.

use std::time::Duration;

use locktoll_lab::machine::Machine;
use locktoll_lab::noise::Noise;
use locktoll_lab::stats::Look;

use super::plan::{Plan, PlannedRun, Work};
use crate::reproduce::evidence::Evidence;
use crate::reproduce::judge;
use locktoll_results::reproduction::{Check, Claim, ClaimVerdict};

/// A claim with the results of its runs so far.
pub struct Attempt<'a> {
    /// The claim and its runs.
    pub plan: &'a Plan<'a>,
    /// The results.
    pub evidence: Evidence,
    /// The noise during each measurement.
    pub noises: Vec<Noise>,
    /// How long all of it took.
    pub duration: Duration,
    /// The number of times its runs were made, including those thrown away.
    pub tries: u32,
    /// The number of tries whose results were thrown away, because the machine was busy.
    pub thrown_away: u32,
}

/// Which rounds are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounds {
    /// All runs, each with its own number of rounds.
    First,
    /// The same once more, since the machine was busy.
    Again,
    /// This many times the rounds of the runs that have rounds to add.
    More(u32),
}

impl Rounds {
    /// How many times the rounds of one try are run.
    pub fn times(self) -> u32 {
        match self {
            Rounds::First | Rounds::Again => 1,
            Rounds::More(times) => times,
        }
    }
}

impl<'a> Attempt<'a> {
    /// Whether further runs may lead to a verdict: only noise prevents it.
    pub fn is_open(&self, claim: &Claim, machine: &Machine) -> bool {
        let noisy = |check: &Check| {
            check.verdict != ClaimVerdict::CannotBeJudgedHere || check.measured.is_some()
        };
        claim.verdict == ClaimVerdict::CannotBeJudgedHere
            && self.plan.runs.is_ok()
            && self.next(self.disturbed(machine).is_some()).is_some()
            && claim.checks.iter().all(noisy)
    }

    /// The rounds to run next, and the look at them; `None` after the last look.
    pub fn next(&self, is_disturbed: bool) -> Option<(Rounds, Look)> {
        let look = self.evidence.look;
        if is_disturbed {
            // Nothing was judged by those rounds: they are run again.
            return Some((Rounds::Again, look));
        }
        let adds = |run: &PlannedRun| !matches!(run.work, Work::Machine(_));
        if !self
            .plan
            .runs
            .as_deref()
            .unwrap_or_default()
            .iter()
            .any(adds)
        {
            return None;
        }
        Some((Rounds::More(1 << (look.number() - 1)), look.next()?))
    }

    /// Seconds that the next look is expected to take; `None` if there is none.
    pub fn next_seconds(&self, machine: &Machine) -> Option<f64> {
        let (rounds, _) = self.next(self.disturbed(machine).is_some())?;
        Some(self.plan.seconds() * f64::from(rounds.times()))
    }

    /// The warnings of the measurements, and the tries without a result.
    pub fn warnings(&self) -> Vec<String> {
        let measured = self.noises.iter().flat_map(|noise| noise.warnings.clone());
        let thrown_away = (self.thrown_away > 0).then(|| {
            format!(
                "the results of {} of {} tries were thrown away, since the machine was busy",
                self.thrown_away, self.tries
            )
        });
        measured.chain(thrown_away).collect()
    }

    pub fn disturbed(&self, machine: &Machine) -> Option<String> {
        disturbed(&self.noises, machine)
    }
}

/// Returns what disturbed one of the measurements too much to judge by it.
pub fn disturbed(noises: &[Noise], machine: &Machine) -> Option<String> {
    let cpus = machine.online_cpus.unwrap_or(machine.usable_cpus.len());
    noises
        .iter()
        .find_map(|noise| judge::disturbed(noise, cpus))
}

#[cfg(test)]
mod tests {
    use locktoll_made_up::made_up;

    use super::super::made_up::{described, evidence};
    use super::super::plan::PlannedRun;
    use super::*;
    use crate::reproduce::description::Description;

    fn planned<'a>(described: &'a Description, work: Work) -> Plan<'a> {
        let run = PlannedRun {
            run: described.runs[0].clone(),
            command: String::new(),
            work,
        };
        Plan {
            described,
            runs: Ok(vec![run]),
        }
    }

    fn cells() -> Work {
        Work::Bench {
            cells: Vec::new(),
            again: Vec::new(),
            repeat: 7,
        }
    }

    fn attempt<'a>(plan: &'a Plan<'a>, look: Look, noise: Noise) -> Attempt<'a> {
        Attempt {
            plan,
            evidence: Evidence {
                look,
                ..evidence(&[], None)
            },
            noises: vec![noise],
            duration: Duration::ZERO,
            tries: 1,
            thrown_away: 0,
        }
    }

    fn quiet() -> Noise {
        Noise {
            other_load_share: Some(0.0),
            steal_share: Some(0.0),
            runnable_others: None,
            throttled_ns: None,
            duration_ns: 1,
            warnings: Vec::new(),
        }
    }

    fn busy() -> Noise {
        Noise {
            other_load_share: Some(0.9),
            ..quiet()
        }
    }

    /// A claim that noise leaves unjudged.
    fn noisy() -> Claim {
        let mut claim = made_up::reproduction().claims.remove(0);
        claim.verdict = ClaimVerdict::CannotBeJudgedHere;
        assert!(claim.checks.iter().all(|check| check.measured.is_some()));
        claim.checks[0].verdict = ClaimVerdict::CannotBeJudgedHere;
        claim
    }

    #[test]
    fn what_is_judged_or_cannot_be_measured_is_not_open() {
        let described = described("value = {}\nat_least = 1");
        let bench = planned(&described, cells());
        let machine = made_up::contended().machine;
        let open = |plan: &Plan<'_>, claim: &Claim| {
            attempt(plan, Look::OfSeveral(1), quiet()).is_open(claim, &machine)
        };
        assert!(open(&bench, &noisy()));
        let judged = Claim {
            verdict: ClaimVerdict::Holds,
            ..noisy()
        };
        assert!(!open(&bench, &judged));
        let mut impossible = noisy();
        impossible.checks[0].measured = None;
        assert!(!open(&bench, &impossible));
        // Rounds cannot be added to a price list. It is made again if the machine was busy.
        let prices = planned(
            &described,
            Work::Machine(locktoll_lab::probe::Plan::quick()),
        );
        assert!(!open(&prices, &noisy()));
        let disturbed = attempt(&prices, Look::OfSeveral(1), busy());
        assert!(disturbed.is_open(&noisy(), &machine));
    }

    #[test]
    fn rounds_double_up_to_the_last_look_and_disturbed_ones_are_run_again() {
        let described = described("value = {}\nat_least = 1");
        let plan = planned(&described, cells());
        let machine = made_up::contended().machine;
        let next = |look, noise: Noise| {
            let attempt = attempt(&plan, look, noise);
            attempt.next(attempt.disturbed(&machine).is_some())
        };
        let seconds = |look, noise: Noise| attempt(&plan, look, noise).next_seconds(&machine);
        let once = plan.seconds();
        assert!(once > 0.0);
        for (look, times) in [(1, 1), (2, 2), (3, 4), (5, 16)] {
            let expected = (Rounds::More(times), Look::OfSeveral(look + 1));
            assert_eq!(next(Look::OfSeveral(look), quiet()), Some(expected));
            let took = seconds(Look::OfSeveral(look), quiet());
            assert_eq!(took, Some(once * f64::from(times)));
        }
        assert_eq!(next(Look::OfSeveral(Look::LAST), quiet()), None);
        assert_eq!(next(Look::Only, quiet()), None);
        assert_eq!(seconds(Look::Only, quiet()), None);
        let look = Look::OfSeveral(1);
        assert_eq!(next(look, busy()), Some((Rounds::Again, look)));
        assert_eq!(seconds(look, busy()), Some(once));
    }
    #[test]
    fn tries_that_were_thrown_away_are_a_warning() {
        let described = described("value = {}\nat_least = 1");
        let plan = planned(&described, cells());
        let mut noise = quiet();
        noise.warnings.push("seen".to_owned());
        let mut attempt = attempt(&plan, Look::OfSeveral(2), noise);
        attempt.tries = 5;
        assert_eq!(attempt.warnings(), ["seen"]);
        attempt.thrown_away = 3;
        let said = "the results of 3 of 5 tries were thrown away, since the machine was busy";
        assert_eq!(attempt.warnings(), ["seen", said]);
    }
}

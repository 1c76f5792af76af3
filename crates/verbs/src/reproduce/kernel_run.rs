//! Waits for the kernel's spin locks while a build runs, round by round.

use serde::{Deserialize, Serialize};

use super::figure::Figure;
use super::selection::Select;

/// All rounds of one run.
#[derive(Clone, Debug, Default)]
pub struct KernelRun {
    /// The rounds.
    pub rounds: Vec<KernelRound>,
    /// What the build consisted of: the compiler or its substitute, and the number of jobs.
    pub built_by: String,
    /// The reason why the run is not used for verdicts in spite of its figures: the host was not as the claim requires.
    pub unfit: Option<String>,
}

/// The figures of one round.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KernelRound {
    /// Waits for spin locks by powers of two of cycles: entry `i` counts the waits from 2^i up to 2^(i+1) cycles.
    pub log2_cycles: Vec<u64>,
    /// Known acquisitions of spin locks: a lower bound.
    pub known_acquisitions: u64,
}

impl KernelRound {
    fn waits(&self) -> u64 {
        self.log2_cycles.iter().sum()
    }

    fn between(&self, [from, to]: [u32; 2]) -> u64 {
        let counts = self.log2_cycles.iter().enumerate();
        let inside = counts.filter(|(power, _)| (from..to).contains(&(*power as u32)));
        inside.map(|(_, count)| count).sum()
    }
}

impl KernelRun {
    /// Adds the rounds of another run. A host that was not as required in one of them spoils both.
    pub fn extend(&mut self, more: Self) {
        self.rounds.extend(more.rounds);
        self.unfit = self.unfit.take().or(more.unfit);
    }

    /// Returns the number of waits from 2^i up to 2^(i+1) cycles in all rounds together, with i.
    pub fn waits_by_power(&self) -> Vec<(usize, u64)> {
        let lengths = self.rounds.iter().map(|round| round.log2_cycles.len());
        let of_power = |power: usize| {
            let counts = self.rounds.iter().map(|round| round.log2_cycles.get(power));
            counts.flatten().sum()
        };
        let powers = 0..lengths.max().unwrap_or(0);
        powers.map(|power| (power, of_power(power))).collect()
    }

    /// Returns the figure of each round.
    ///
    /// # Errors
    /// The reason why there is none.
    pub fn figures(&self, select: &Select, figure: Figure) -> Result<Vec<f64>, String> {
        if let Some(why) = &self.unfit {
            return Err(why.clone());
        }
        if self.rounds.is_empty() {
            return Err("nothing was watched".to_owned());
        }
        let cycles = || {
            select.cycles.ok_or_else(|| {
                "of which lengths? say cycles = [FROM, TO], powers of two".to_owned()
            })
        };
        let one = |round: &KernelRound| {
            match figure {
            Figure::SpinWaitCount => Ok(round.between(cycles()?) as f64),
            Figure::SpinWaitShare => match round.waits() {
                0 => Err("in one round no thread waited for a spin lock".to_owned()),
                all => Ok(round.between(cycles()?) as f64 / all as f64),
            },
            Figure::SpinWaitsPerAcquisition => match round.known_acquisitions {
                0 => Err("no acquisition is known of".to_owned()),
                known => Ok(round.waits() as f64 / known as f64),
            },
            _ => Err(
                "a kernel run has the figures spin_wait_count, spin_wait_share and spin_waits_per_acquisition"
                    .to_owned(),
            ),
        }
        };
        // No round may be left out: it might be evidence against the claim.
        self.rounds.iter().map(one).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run() -> KernelRun {
        KernelRun {
            rounds: vec![KernelRound {
                log2_cycles: vec![0, 0, 1, 6, 3],
                known_acquisitions: 1_000,
            }],
            ..KernelRun::default()
        }
    }

    fn of(run: &KernelRun, figure: Figure, cycles: Option<[u32; 2]>) -> Result<Vec<f64>, String> {
        let select = Select {
            cycles,
            ..Select::default()
        };
        run.figures(&select, figure)
    }

    #[test]
    fn lengths_are_from_the_first_power_up_to_the_second() {
        let run = run();
        let share = |cycles| of(&run, Figure::SpinWaitShare, Some(cycles));
        assert_eq!(share([2, 4]), Ok(vec![0.7]));
        assert_eq!(share([4, 40]), Ok(vec![0.3]));
        assert_eq!(of(&run, Figure::SpinWaitCount, Some([3, 4])), Ok(vec![6.0]));
        assert_eq!(
            of(&run, Figure::SpinWaitsPerAcquisition, None),
            Ok(vec![0.01])
        );
    }

    #[test]
    fn what_is_not_known_is_no_figure() {
        let mut run = run();
        assert!(of(&run, Figure::SpinWaitShare, None).is_err());
        assert!(of(&run, Figure::NsPerOp, None).is_err());
        run.rounds.push(KernelRound::default());
        assert!(of(&run, Figure::SpinWaitShare, Some([0, 40])).is_err());
        assert!(of(&run, Figure::SpinWaitsPerAcquisition, None).is_err());
        run.unfit = Some("the host was idle".to_owned());
        let why = of(&run, Figure::SpinWaitCount, Some([0, 40]));
        assert_eq!(why, Err("the host was idle".to_owned()));
    }
}

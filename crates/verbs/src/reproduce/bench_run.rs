//! The result of a run of `bench`: one figure of a cell in each round.

use locktoll_lab::cell::Cell;
use locktoll_lab::runner::Samples;
use locktoll_lab::stats::{Estimate, estimate, widest_factor};

use super::bench_figures::figures;
use super::evidence::{fitting, only};
use super::figure::Figure;
use super::selection::Select;

/// The measurements of a run of `bench`.
pub struct BenchRun {
    /// The cells.
    pub cells: Vec<Cell>,
    /// Their samples, in the same order.
    pub samples: Vec<Samples>,
}

impl BenchRun {
    pub fn fitting(&self, select: &Select, cpus: u32) -> Result<Vec<usize>, String> {
        fitting(&self.cells, select, cpus)
    }

    pub fn only(&self, select: &Select, cpus: u32) -> Result<usize, String> {
        only(&self.cells, select, cpus)
    }

    /// Returns one figure per round for the cell at `index`. With `net`, the empty loop of the same round is subtracted from
    /// times per operation.
    ///
    /// # Errors
    /// If the cell was not measured in every round.
    pub fn rounds(
        &self,
        index: usize,
        figure: Figure,
        net: bool,
        cpus: u32,
    ) -> Result<Vec<f64>, String> {
        let (cell, samples) = (&self.cells[index], &self.samples[index]);
        sound(cell, samples)?;
        figures(cell, samples, figure, net, cpus)
    }

    /// Returns the figure in the first slices of all rounds, and in the second slices of the same cell; `None` if the cell was
    /// not run twice.
    fn twice(&self, index: usize, figure: Figure, net: bool, cpus: u32) -> Option<[Vec<f64>; 2]> {
        let (cell, samples) = (&self.cells[index], &self.samples[index]);
        let empty_loops = samples.throughput.iter().map(|(_, empty)| *empty);
        let second = Samples {
            throughput: samples.again.iter().cloned().zip(empty_loops).collect(),
            waiting: samples.again_waiting.clone(),
            ..Samples::default()
        };
        let first = figures(cell, samples, figure, net, cpus).ok()?;
        Some([first, figures(cell, &second, figure, net, cpus).ok()?])
    }

    /// Returns the factor, 1 or more, by which `figure` differed between equal slices: the widest of the A/A pairs that have the
    /// setting of the cell at `index`, whatever their lock. Infinite if the figure was zero in only one of two equal slices.
    pub fn factor(&self, index: usize, figure: Figure, net: bool, cpus: u32) -> Option<f64> {
        let setting = |cell: &Cell| {
            cell.clone().with(|knobs| {
                knobs.lock = String::new();
            })
        };
        let here = setting(&self.cells[index]);
        let pairs = (0..self.cells.len()).filter(|other| setting(&self.cells[*other]) == here);
        let factor = |other| {
            let [first, second] = self.twice(other, figure, net, cpus)?;
            Some(factor_between(&first, &second))
        };
        pairs.filter_map(factor).reduce(f64::max)
    }

    /// Returns how far apart `figure` was in equal slices of the cell at `index`.
    pub fn shift(&self, index: usize, figure: Figure, net: bool, cpus: u32) -> Option<f64> {
        let [first, second] = self.twice(index, figure, net, cpus)?;
        let apart: Vec<f64> = first.iter().zip(&second).map(|(a, b)| b - a).collect();
        estimate(&apart).map(|Estimate { low, high, .. }| low.abs().max(high.abs()))
    }
}

/// Returns the widest factor within the 95 % interval of second over first.
fn factor_between(first: &[f64], second: &[f64]) -> f64 {
    let quotients: Vec<f64> = first
        .iter()
        .zip(second)
        .map(|(a, b)| match a == b {
            true => 1.0,
            // `f64::MAX` means infinity here: a median over real infinities would be meaningless.
            false if *a == 0.0 => f64::MAX,
            false => b / a,
        })
        .collect();
    match estimate(&quotients) {
        Some(apart) if apart.low > 0.0 && apart.high < f64::MAX => widest_factor(&apart),
        _ => f64::INFINITY,
    }
}

/// Checks that the figures of a cell can be trusted.
fn sound(cell: &Cell, samples: &Samples) -> Result<(), String> {
    let lock = &cell.lock;
    if let Some(broken) = samples
        .slices()
        .find_map(|slice| slice.exclusion_broken.as_ref())
    {
        return Err(format!("{lock} let two threads in at once: {broken}"));
    }
    if samples.slices().any(|slice| slice.cut_off.is_some()) {
        return Err(format!("{lock} did not end in time and was cut off"));
    }
    match &samples.failure {
        Some(failure) => Err(format!("{lock}: {failure}")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use locktoll_lab::cell::{Calibration, CutOff, Length, Slice};

    use super::*;

    #[test]
    fn equal_runs_differ_by_the_furthest_end_of_their_quotient() {
        let between = |first: f64, second: f64| factor_between(&[first; 6], &[second; 6]);
        assert_eq!(between(2.0, 6.0), 3.0);
        assert_eq!(between(6.0, 2.0), 3.0);
        assert_eq!(between(0.0, 0.0), 1.0);
        // If one of them is nothing, no factor is wide enough.
        assert_eq!(between(0.0, 2.0), f64::INFINITY);
        assert_eq!(between(2.0, 0.0), f64::INFINITY);
        assert_eq!(factor_between(&[], &[]), f64::INFINITY);
    }

    #[test]
    fn figures_of_a_lock_that_failed_are_not_trusted() {
        let cell = Cell::at_rest(
            "std",
            Length::Time { ns: 1 },
            Calibration { loops_per_ns: 1.0 },
        );
        let told = |slice: Slice| {
            let samples = Samples {
                throughput: vec![(Slice::default(), None), (slice, None)],
                ..Samples::default()
            };
            sound(&cell, &samples).err().unwrap_or_default()
        };
        let broken = Slice {
            exclusion_broken: Some("2 and 3".to_owned()),
            ..Slice::default()
        };
        let cut_off = Slice {
            cut_off: Some(CutOff {
                threads: 1,
                waited_ns: 1,
            }),
            ..Slice::default()
        };
        assert_eq!(told(Slice::default()), "");
        assert_eq!(told(broken), "std let two threads in at once: 2 and 3");
        assert!(told(cut_off).contains("was cut off"));
    }
}

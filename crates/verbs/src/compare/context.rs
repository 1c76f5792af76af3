//! The notes around the rows: differences between the sides, the noise of the runs, and the meaning of the
//! figures.

use locktoll_lab::stats::{Estimate, MIN_ROUNDS, Ratio, least_confidence, widest_factor};

use super::bench;
use super::machine::Drift;
use super::one_side::{warnings, what, within};
use super::side::Results;
use super::surroundings::{Differences, same_machine};
use super::trial;
use super::two_machines;
use locktoll_results::Kind;
use locktoll_results::bench::BenchResult;
use locktoll_results::comparison::Noise;
use locktoll_results::machine::MachineResult;
use locktoll_results::profile::Profile;
use locktoll_results::trial::TrialResult;
use locktoll_terminal::quantity::duration;

/// If the lengths of two runs differ by more than this factor, the runs did different work, or worked at different speeds.
const SAME_LENGTH: f64 = 1.1;
/// If recording a lock cost more than this many times as much on one side, that machine was slower.
const SAME_COST: f64 = 1.5;

/// The context of the rows.
pub struct Around {
    /// The differences between the sides.
    pub differs: Differences,
    /// How far equal things were apart.
    pub noise: Noise,
    /// The part of the noise that lies between the runs: the loop without a lock was not as fast in both. At least 1.
    pub drift: f64,
    /// The same for price lists of one machine.
    pub prices: Option<Drift>,
    /// Notes for the reader.
    pub notes: Vec<String>,
    /// A description of A in one line.
    pub what_a: String,
    /// A description of B in one line.
    pub what_b: String,
    /// The warnings of A.
    pub warnings_a: Vec<String>,
    /// The warnings of B.
    pub warnings_b: Vec<String>,
}

impl Around {
    /// Collects the context of two sides of one kind.
    pub fn of(a: &Results, b: &Results) -> Self {
        let mut around = Self {
            differs: Differences::default(),
            noise: Noise {
                factor: 1.0,
                evidence: Vec::new(),
            },
            drift: 1.0,
            prices: None,
            notes: Vec::new(),
            what_a: what(a),
            what_b: what(b),
            warnings_a: warnings(a),
            warnings_b: warnings(b),
        };
        match a.kind {
            Kind::Bench => around.benches(&a.benches(), &b.benches()),
            Kind::Tour => {
                let contended = |side: &Results| -> Vec<BenchResult> {
                    side.tours()
                        .iter()
                        .map(|tour| tour.contended.clone())
                        .collect()
                };
                let (a, b) = (contended(a), contended(b));
                around.benches(&a.iter().collect::<Vec<_>>(), &b.iter().collect::<Vec<_>>());
            }
            Kind::Machine => {
                let (a, b) = (a.machines(), b.machines());
                for (a, b) in a.iter().zip(&b).take(1) {
                    around.differs.price_lists(a, b);
                }
                around.drift_of_prices(&a, &b);
                around.between_runs();
            }
            Kind::Reproduce => {
                for (a, b) in a.reproductions().iter().zip(b.reproductions()) {
                    around.differs.add("locktoll", &a.version, &b.version);
                    around.differs.machines(&a.machine, &b.machine);
                }
            }
            Kind::Profile => around.profiles(&a.profiles(), &b.profiles()),
            Kind::Try => around.trials(&a.trials(), &b.trials()),
            Kind::Compare | Kind::Kernel | Kind::Hang | Kind::WhatIf | Kind::Advise => {}
        }
        for (name, side) in [("A", a), ("B", b)] {
            around.notes.extend(within(name, side));
        }
        if let Some(warning) = two_machines::warning(&a.made(), &b.made()) {
            around.notes.insert(0, warning);
        }
        around
    }

    fn benches(&mut self, a: &[&BenchResult], b: &[&BenchResult]) {
        self.noise = bench::noise([("A", a), ("B", b)]);
        if let (Some(a), Some(b)) = (a.first(), b.first()) {
            self.differs.benches(a, b);
            self.drift(a, b);
        }
        let rounds = a.iter().chain(b).map(|run| run.repeat as usize).min();
        if rounds.is_some_and(|rounds| rounds < MIN_ROUNDS) {
            self.notes.push(format!(
                "Fewer than {MIN_ROUNDS} rounds on a side: no difference is claimed (bench --repeat {MIN_ROUNDS} or more)."
            ));
        }
        self.between_runs();
    }

    fn trials(&mut self, a: &[&TrialResult], b: &[&TrialResult]) {
        for (a, b) in a.iter().zip(b).take(1) {
            self.differs.trials(a, b);
        }
        self.noise = trial::noise([("A", a), ("B", b)]);
        let rounds = a.iter().chain(b).map(|run| run.rounds).min();
        if rounds.is_some_and(|rounds| rounds < MIN_ROUNDS) {
            self.notes.push(format!(
                "Fewer than {MIN_ROUNDS} rounds on a side: no difference is claimed (try --rounds {MIN_ROUNDS} or more)."
            ));
        }
        self.between_runs();
    }

    /// Measures the drift between two runs on one machine: the loop without a lock should take the same time in both.
    fn drift(&mut self, a: &BenchResult, b: &BenchResult) {
        let (Some(empty_a), Some(empty_b)) = (a.empty_loop_ns, b.empty_loop_ns) else {
            return;
        };
        let Ratio {
            median: Some(median),
            low: Some(low),
            high: Some(high),
            n,
            ..
        } = Ratio::of_medians(&empty_a, &empty_b)
        else {
            return;
        };
        if !same_machine(&a.machine, &b.machine) || low <= 0.0 {
            return;
        }
        self.drift = widest_factor(&Estimate {
            median,
            low,
            high,
            n,
        });
        self.noise.factor = self.noise.factor.max(self.drift);
        self.noise.evidence.push(format!(
            "B relative to A: the loop without a lock: {median:.2}x ({low:.2} .. {high:.2})"
        ));
    }

    /// Measures the drift between price lists of one machine: the prices of work without the kernel should be the same in all
    /// runs.
    fn drift_of_prices(&mut self, a: &[&MachineResult], b: &[&MachineResult]) {
        let mut all = a.iter().chain(b);
        let Some(first) = all.next() else { return };
        if !all.all(|run| same_machine(&first.machine, &run.machine)) {
            return;
        }
        let drift = Drift::of(a, b);
        if let Some(ratio) = drift.ratio() {
            self.noise.factor = widest_factor(&ratio);
            self.noise.evidence.push(format!(
                "B relative to A: prices without the kernel, which should be equal: {:.2}x \
                 ({:.2} .. {:.2}), the median of {} prices",
                ratio.median,
                ratio.low,
                ratio.high,
                drift.prices()
            ));
        }
        self.prices = Some(drift);
    }

    fn between_runs(&mut self) {
        self.notes.push(
            "The two sides were measured one after the other, so whatever changed on the machine in between is in every \
             ratio, and no interval covers it. Several runs per side (A1,A2,A3 B1,B2,B3) help: the intervals then span \
             all runs."
                .to_owned(),
        );
        self.by_chance();
    }

    fn by_chance(&mut self) {
        self.notes.push(
            "By chance, up to one in twenty unchanged rows may appear as a difference; --fail-if slower allows for the number \
             of rows."
                .to_owned(),
        );
    }

    fn profiles(&mut self, a: &[&Profile], b: &[&Profile]) {
        if let (Some(a), Some(b)) = (a.first(), b.first()) {
            self.differs.profiles(a, b);
        }
        let confidence = Ratio::of_runs(&vec![1.0; a.len()], &vec![1.0; b.len()]).confidence;
        match confidence {
            None => self.notes.push(
                "With one run per side there are no intervals, and no difference is claimed. Four runs per side are enough \
                 for that (A1,A2,A3,A4 B1,B2,B3,B4)."
                    .to_owned(),
            ),
            Some(worth) if worth < least_confidence() => self.notes.push(format!(
                "{} and {} runs: these give intervals of {:.0} %, too little to claim a difference; four runs of each side are \
                 enough.",
                a.len(),
                b.len(),
                worth * 100.0
            )),
            Some(_) => self.between_runs(),
        }
        let lengths = [
            median(a, |run| run.duration_ns as f64),
            median(b, |run| run.duration_ns as f64),
        ];
        if let [Some(of_a), Some(of_b)] = lengths
            && of_b > 0.0
            && !(1.0 / SAME_LENGTH..=SAME_LENGTH).contains(&(of_a / of_b))
        {
            self.notes.push(format!(
                "A took {} and B {}. Totals (wait, contended, acquisitions, hold) are not scaled for that; shares and figures per \
                 acquisition need no scaling.",
                duration(of_a),
                duration(of_b)
            ));
        }
        let cost = |runs| median(runs, |run| run.recorder.ns_per_pair.unwrap_or(0.0));
        if let (Some(of_a), Some(of_b)) = (cost(a), cost(b))
            && of_a > 0.0
            && of_b > 0.0
            && !(1.0 / SAME_COST..=SAME_COST).contains(&(of_a / of_b))
        {
            self.notes.push(format!(
                "Recording added {of_a:.0} ns to a lock and unlock in A and {of_b:.0} ns in B: the machines differ, or one was \
                 slower."
            ));
        }
        let by_address = |runs: &[&Profile]| {
            let locks = runs.iter().flat_map(|run| &run.locks);
            locks.filter(|lock| is_address(&lock.id)).count()
        };
        if by_address(a) + by_address(b) > 0 {
            self.notes.push(
                "Some locks are known only by their address in a file, which another build of the program changes. Keep the \
                 program's symbols."
                    .to_owned(),
            );
        }
        let machine = |run: &&Profile| run.made.as_ref().is_some_and(|made| made.machine.is_some());
        if !a.iter().chain(b).all(machine) {
            self.notes
                .push("Not every recording says which machine it was made on.".to_owned());
        }
    }
}

/// Whether an id ends in an address: `mutex:server:0x4010`.
fn is_address(id: &str) -> bool {
    let last = id.rsplit(':').next().unwrap_or_default();
    last.starts_with("0x")
}

fn median(runs: &[&Profile], of: fn(&Profile) -> f64) -> Option<f64> {
    let figures: Vec<f64> = runs.iter().map(|run| of(run)).collect();
    Some(locktoll_lab::stats::estimate(&figures)?.median)
}

#[cfg(test)]
mod tests;
